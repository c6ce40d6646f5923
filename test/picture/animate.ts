import { readFileSync } from 'node:fs';
import headless from '@xterm/headless';
import { z } from 'zod';
import { rowOfFrame, screenSvg } from '../../src/cli/export/frame-svg.ts';

const header = z.object({ term: z.object({ cols: z.number(), rows: z.number() }), title: z.string() });
const line = z.tuple([z.number(), z.string(), z.string()]);

/** Seconds between two frames of the picture; spinners need no more. */
const step = 0.75;
/** Seconds for which the last frame stays. */
const rest = 4;

/**
 * A recording (asciicast 3) as a picture that moves without scripts: each row is drawn once for each text that it has, and shown while it has it. Somebody who wants no
 * motion sees the moment `still`.
 */
export const animate = async (file: string, background: 'dark' | 'light', still: number): Promise<string> => {
  const [first = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { term, title } = header.parse(JSON.parse(first));
  const frames = await framesOf(
    term,
    lines.map((text) => line.parse(JSON.parse(text))),
  );
  const seconds = frames.length * step + rest;
  const share = (frame: number): string => ((100 * frame * step) / seconds).toFixed(2);
  const styles: string[] = [];
  const elements: string[] = [];
  for (let row = 0; row < term.rows; row += 1)
    for (const [text, shown] of intervalsOf(frames.map((rows) => rows[row] ?? ''))) {
      const drawn = rowOfFrame(text, row, background);
      if (drawn.length === 0) continue;
      const name = `f${styles.length.toString(36)}`;
      const steps = shown.flatMap(([from, to]) => [
        `${share(from)}%{visibility:visible}`,
        ...(to === frames.length ? [] : [`${share(to)}%{visibility:hidden}`]),
      ]);
      styles.push(
        `@keyframes ${name}{0%{visibility:hidden}${steps.join('')}}.${name}{animation-name:${name}}`,
      );
      elements.push(`<g class="x ${name}">${drawn.join('')}</g>`);
    }
  const common = [
    `.x{animation:${seconds.toFixed(2)}s step-end infinite;visibility:hidden}`,
    `@media(prefers-reduced-motion:reduce){.x{animation-play-state:paused;animation-delay:-${still}s}}`,
  ];
  return screenSvg([`<style>${[...common, ...styles].join('\n')}</style>`, ...elements], {
    columns: term.cols,
    rows: term.rows,
    background,
    label: title,
  });
};

/** When each text of a row is shown: frames from and to. */
const intervalsOf = (texts: readonly string[]): ReadonlyMap<string, (readonly [number, number])[]> => {
  const found = new Map<string, (readonly [number, number])[]>();
  for (let from = 0, to = 0; from < texts.length; from = to) {
    const text = texts[from] ?? '';
    while (to < texts.length && texts[to] === text) to += 1;
    found.set(text, [...(found.get(text) ?? []), [from, to]]);
  }
  return found;
};

/** The screen at each step of time, row by row, with its styles. */
const framesOf = async (
  { cols, rows }: { readonly cols: number; readonly rows: number },
  lines: readonly (readonly [number, string, string])[],
): Promise<readonly (readonly string[])[]> => {
  const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
  const frames: (readonly string[])[] = [];
  let at = 0;
  for (const [after, , text] of lines) {
    at += after;
    while (frames.length * step < at) frames.push(rowsOf(terminal));
    await new Promise<void>((resolve) => terminal.write(text, resolve));
  }
  frames.push(rowsOf(terminal));
  return frames;
};

const rowsOf = (terminal: headless.Terminal): readonly string[] =>
  Array.from({ length: terminal.rows }, (_, row) => {
    const found = terminal.buffer.active.getLine(row);
    let text = '';
    for (let column = 0; column < terminal.cols; column += 1) {
      const cell = found?.getCell(column);
      if (cell && cell.getWidth() > 0) text += `\u001b[0${codesOf(cell)}m${cell.getChars() || ' '}`;
    }
    return text;
  });

const codesOf = (cell: headless.IBufferCell): string => {
  const colour = (base: number, value: number, isRgb: boolean, isPalette: boolean): string =>
    isRgb
      ? `;${base};2;${value >> 16};${(value >> 8) & 255};${value & 255}`
      : isPalette
        ? `;${base};5;${value}`
        : '';
  return [
    cell.isBold() ? ';1' : '',
    cell.isItalic() ? ';3' : '',
    cell.isUnderline() ? ';4' : '',
    cell.isInverse() ? ';7' : '',
    colour(38, cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette()),
    colour(48, cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette()),
  ].join('');
};
