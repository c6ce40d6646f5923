import { formatElapsed, formatRunning, type LocalTime } from '../../src/words/local-time.ts';
import { graphemesOf, truncate, widthOf } from '../../src/words/width.ts';
import type { Ground, Tone } from '../draw/palettes.ts';
import { type Line, type Span, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import type { TimelineView } from './select-timeline.ts';

/** The time axis of one screen, with the present at its right edge. */
export interface Axis {
  readonly timeline: TimelineView;
  readonly now: LocalTime;
  readonly theme: Theme;
  readonly focused: boolean;
  /** Cells of the titles on the left, and of the time beside them. */
  readonly title: number;
  readonly cells: number;
}

/** The time since an instant: of a session that runs it still grows. Less than a minute has no name on a screen that is drawn once a minute. */
export const lengthSince = ({ timeline: { present, ended }, now }: Axis, from: number): string => {
  const ms = present - from;
  if (ended !== null) return formatElapsed(ms);
  return now.byMinutes === true && ms < 60_000 ? '' : formatRunning(ms, now);
};

/** One cell of a row. `id`: the bar that a click on it chooses. */
export interface Cell {
  readonly text: string;
  readonly tone: Tone;
  readonly bold?: boolean;
  readonly ground?: Ground;
  readonly id?: string;
}

/** The cell of an instant. `null`, what has no end yet, reaches to the present, the last cell. */
export const cellAt = ({ timeline: { from, to, present }, cells }: Axis, at: number | null): number =>
  Math.max(
    0,
    Math.min(cells - 1, Math.round((((at ?? present) - from) / Math.max(1, to - from)) * (cells - 1))),
  );

/** A row of single cells with its title. Neighbours of one look and one target become one piece. */
export const rowOf = (name: string, cells: readonly (Cell | undefined)[], { title, theme }: Axis): Line => {
  const pieces: Span[] = [];
  for (const cell of cells) {
    const { text, tone, bold: strong = false, ground, id }: Cell = cell ?? { text: ' ', tone: 'secondary' };
    const last = pieces.at(-1);
    const before = last?.target?.kind === 'row' ? last.target.at : undefined;
    if (last && last.tone === tone && last.bold === strong && last.ground === ground && before === id)
      pieces[pieces.length - 1] = { ...last, text: last.text + text };
    else
      pieces.push({
        text,
        tone,
        bold: strong,
        ...(ground === undefined ? {} : { ground }),
        target: id === undefined ? null : { kind: 'row', pane: 'timeline', at: id },
      });
  }
  const label = truncate(name, title, theme.glyphs.ellipsis);
  return [span(` ${label}${' '.repeat(Math.max(0, title - widthOf(label)))} `), ...pieces];
};

export const put = (
  cells: (Cell | undefined)[],
  at: number,
  text: string,
  look: Omit<Cell, 'text'>,
): void => {
  let cell = at;
  for (const part of graphemesOf(text)) {
    if (cell + widthOf(part) > cells.length) return;
    cells[cell] = { ...look, text: part };
    // A wide character takes the next cell too.
    for (let next = 1; next < widthOf(part); next += 1) cells[cell + next] = { ...look, text: '' };
    cell += widthOf(part);
  }
};
