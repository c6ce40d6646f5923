import { type Ground, grounds } from '../../page/export/cast.ts';
import { widthOf } from '../../words/width.ts';
import { type Cell, cellsOf } from '../terminal/frame-row.ts';

const cell = { width: 8.4, height: 18 };
const padding = 14;
const font = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export interface SvgFrame {
  readonly columns: number;
  readonly rows: number;
  readonly background: 'dark' | 'light';
  readonly label: string;
}

/** A frame of the screen as a picture: one text per run of equal style, readable without a font of ours. */
export const frameSvg = (frame: string, look: SvgFrame): string =>
  screenSvg(
    frame
      .split('\n')
      .slice(0, look.rows)
      .flatMap((row, index) => rowOfFrame(row, index, look.background)),
    look,
  );

/** One row of a screen, as elements for `screenSvg`. */
export const rowOfFrame = (row: string, index: number, background: 'dark' | 'light'): readonly string[] =>
  rowSvg(cellsOf(row), padding + (index + 1) * cell.height - 4, grounds[background]);

/** A picture of the size of a screen, with these elements in it. */
export const screenSvg = (
  elements: readonly string[],
  { columns, rows, background, label }: SvgFrame,
): string => {
  const ground = grounds[background];
  const [width, height] = [columns * cell.width + 2 * padding, rows * cell.height + 2 * padding];
  const size = `width="${width.toFixed(0)}" height="${height.toFixed(0)}" viewBox="0 0 ${width.toFixed(1)} ${height.toFixed(1)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escapeXml(label)}">`,
    `<rect width="100%" height="100%" rx="8" fill="${ground.background}"/>`,
    `<g font-family="${font}" font-size="14" fill="${ground.foreground}">`,
    ...elements,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};

interface Look {
  readonly ink: string;
  readonly paper: string;
  readonly marks: string;
}

interface Run extends Look {
  readonly from: number;
  readonly text: string;
  readonly cells: number;
}

const rowSvg = (cells: readonly Cell[], y: number, ground: Ground): readonly string[] =>
  runsOf(cells, ground).flatMap(({ from, text, cells: length, ink, paper, marks }) => {
    const at = (column: number): string => (padding + column * cell.width).toFixed(1);
    const wide = (columns: number): string => (columns * cell.width).toFixed(1);
    const fill = ink === ground.foreground ? '' : ` fill="${ink}"`;
    const behind = `<rect x="${at(from)}" y="${y - cell.height + 4}" width="${wide(length)}" height="${cell.height}" fill="${paper}"/>`;
    return [
      ...(paper === ground.background ? [] : [behind]),
      // Browsers fold blanks: each word group has its own place.
      ...[...text.matchAll(/\S+(?: \S+)*/gu)].map(({ 0: words, index }) => {
        const place = `x="${at(from + widthOf(text.slice(0, index)))}" y="${y}" textLength="${wide(widthOf(words))}"`;
        return `<text ${place}${fill}${marks}>${escapeXml(words)}</text>`;
      }),
    ];
  });

const runsOf = (cells: readonly Cell[], ground: Ground): readonly Run[] => {
  const runs: Run[] = [];
  cells.forEach(({ sign, style }, index) => {
    const last = runs.at(-1);
    if (sign === '' && last !== undefined) {
      runs[runs.length - 1] = { ...last, cells: last.cells + 1 };
      return;
    }
    const look = lookOf(style, ground);
    if (last !== undefined && last.ink === look.ink && last.paper === look.paper && last.marks === look.marks)
      runs[runs.length - 1] = { ...last, text: last.text + sign, cells: last.cells + 1 };
    else runs.push({ ...look, from: index, text: sign, cells: 1 });
  });
  return runs;
};

/** The look after these SGR sequences, the later ones over the earlier ones. */
const lookOf = (style: string, ground: Ground): Look => {
  let [ink, paper]: [string | null, string | null] = [null, null];
  const on = new Set<number>();
  const codes = [...style.matchAll(/\u001b\[([0-9;]*)m/g)].flatMap(([, list = '']) =>
    list.split(';').map(Number),
  );
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(index + 1), ground);
      if (code === 38) ink = colour;
      else paper = colour;
      index += used;
    } else if (code === 0) {
      [ink, paper] = [null, null];
      on.clear();
    } else if (code === 39) ink = null;
    else if (code === 49) paper = null;
    else if (code >= 30 && code <= 37) ink = ground.palette[code - 30] ?? null;
    else if (code >= 90 && code <= 97) ink = ground.palette[code - 82] ?? null;
    else if (code >= 40 && code <= 47) paper = ground.palette[code - 40] ?? null;
    else if (code >= 100 && code <= 107) paper = ground.palette[code - 92] ?? null;
    else if (code === 22) on.delete(1);
    else if (code >= 23 && code <= 29) on.delete(code - 20);
    else on.add(code);
  }
  const [front, back] = [ink ?? ground.foreground, paper ?? ground.background];
  return {
    ink: on.has(7) ? back : front,
    paper: on.has(7) ? front : back,
    marks: `${on.has(1) ? ' font-weight="bold"' : ''}${on.has(3) ? ' font-style="italic"' : ''}${on.has(4) ? ' text-decoration="underline"' : ''}`,
  };
};

/** The colour after 38 or 48: `2;r;g;b`, or `5;n` of the 256. */
const extended = (
  rest: readonly number[],
  ground: Ground,
): { readonly colour: string | null; readonly used: number } => {
  const [form, first = 0, green = 0, blue = 0] = rest;
  if (form === 2) return { colour: hex(first, green, blue), used: 4 };
  if (form !== 5) return { colour: null, used: 0 };
  if (first < 16) return { colour: ground.palette[first] ?? null, used: 2 };
  if (first >= 232)
    return { colour: hex(8 + (first - 232) * 10, 8 + (first - 232) * 10, 8 + (first - 232) * 10), used: 2 };
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const cube = first - 16;
  return {
    colour: hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)),
    used: 2,
  };
};

const hex = (...parts: readonly number[]): string =>
  `#${parts.map((part) => Math.max(0, Math.min(255, part)).toString(16).padStart(2, '0')).join('')}`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
