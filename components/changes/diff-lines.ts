import { marked } from '../../src/base/safe.ts';
import { changedWords, type Range } from '../../src/words/diff/changed-words.ts';
import { type Diff, type DiffFile, rowKind } from '../../src/words/diff/diff.ts';
import { fileOfRow } from '../../src/words/diff/file-of-row.ts';
import { fileWords } from '../../src/words/diff/file-words.ts';
import { pairRows } from '../../src/words/diff/pair-rows.ts';
import { endsInReturn, rowText } from '../../src/words/diff/row-text.ts';
import type { Ground, Tone } from '../draw/palettes.ts';
import { sliceLine } from '../draw/slice-line.ts';
import { fillLine, fitLine, type Line, path, type Span, span, spread } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { highlighted } from '../draw/wrap-line.ts';

/** What all rows of a diff on one screen share. */
interface DiffLook {
  readonly diff: Diff;
  readonly theme: Theme;
  /** Cells of a line. */
  readonly width: number;
  /** Cells cut off at the left of every text. */
  readonly left: number;
  /** Words in lower case that stand out; '' is none. */
  readonly wanted: string;
  /** Digits of the longest line number. */
  readonly digits: number;
}

/** Columns from which a line shows its numbers on both sides. */
const bothNumbersFrom = 64;

/** A row of the diff in one column. */
export const rowLine = (row: number, look: DiffLook): Line => {
  const head = headLine(row, look);
  if (head !== null) return head;
  const { diff, width } = look;
  const [before, after] = [diff.before[row] ?? 0, diff.after[row] ?? 0];
  const numbers =
    width < bothNumbersFrom
      ? numberOf(after || before, look)
      : `${numberOf(before, look)} ${numberOf(after, look)}`;
  return [span(`${numbers} `, 'secondary'), ...signed(row, look, width - numbers.length - 3)];
};

/** Rows of the diff side by side: what was on the left, what is on the right. -1: nothing. */
export const pairLine = (left: number, right: number, look: DiffLook): Line => {
  const head = left === right ? headLine(left, look) : null;
  if (head !== null) return head;
  const { theme, width } = look;
  const half = Math.floor((width - 1) / 2);
  return [
    ...fillLine(sideLine(left, half, 'before', look), half, theme),
    span(theme.glyphs.bar, 'secondary'),
    ...fitLine(sideLine(right, width - half - 1, 'after', look), width - half - 1, theme),
  ];
};

const sideLine = (row: number, width: number, side: 'before' | 'after', look: DiffLook): Line => {
  if (row < 0) return [];
  const number = numberOf(look.diff[side][row] ?? 0, look);
  return [span(`${number} `, 'secondary'), ...signed(row, look, width - number.length - 3)];
};

const numberOf = (number: number, { digits }: DiffLook): string =>
  (number === 0 ? '' : String(number)).padStart(digits);

/** The head of a file or of a hunk, or the gap before a file; `null` for any other row. */
const headLine = (row: number, look: DiffLook): Line | null => {
  const { diff, theme, width, wanted } = look;
  const kind = diff.kinds[row];
  if (kind === rowKind.gap) return [];
  if (kind === rowKind.hunk) return highlighted([span(rowText(diff, row), 'accent')], wanted);
  const file = kind === rowKind.file ? fileOfRow(diff, row) : null;
  return file === null ? null : fileLine(file, { theme, width, wanted });
};

/** The path of a file, what happened to it, and how much. */
const fileLine = (
  file: DiffFile,
  { theme, width, wanted }: Pick<DiffLook, 'theme' | 'width' | 'wanted'>,
): Line => {
  const words = fileWords(file);
  const name = highlighted([{ ...path(marked(file.path)), bold: true }], wanted);
  return spread(
    [...name, span(words === '' ? '' : ` · ${words}`, 'secondary')],
    countsLine(file.binary ? null : file.added, file.removed),
    width,
    theme,
  );
};

/** `+2 −1 `; nothing where nobody counted. */
export const countsLine = (added: number | null, removed: number | null): Line =>
  added === null || removed === null ? [] : [span(`+${added} `, 'done'), span(`−${removed} `, 'failed')];

const signs: Readonly<Record<number, readonly [string, Tone]>> = {
  [rowKind.added]: ['+', 'done'],
  [rowKind.removed]: ['-', 'failed'],
  [rowKind.note]: ['\\', 'secondary'],
};

/** The sign of a row and its text from the cell `left` on, with its changed words and what a search found. */
const signed = (row: number, look: DiffLook, room: number): Line => {
  const { diff, left, wanted } = look;
  const [sign, tone] = signs[diff.kinds[row] ?? 0] ?? [' ', 'text'];
  const text = highlighted(markedWords(row, tone, look), wanted);
  return [span(`${sign} `, tone), ...(left === 0 ? text : sliceLine(text, left, room))];
};

/** The text of a row with the words that differ from those of the line in its place. */
export const markedWords = (row: number, tone: Tone, { diff }: Pick<DiffLook, 'diff'>): Line => {
  const text = rowText(diff, row);
  const partner = pairRows(diff).partner[row] ?? -1;
  if (partner < 0) return [span(text, tone)];
  const isNew = diff.kinds[row] === rowKind.added;
  const other = rowText(diff, partner);
  const changed = isNew ? changedWords(other, text).after : changedWords(text, other).before;
  const ground: Ground = isNew ? 'added' : 'removed';
  const ends = endsInReturn(diff, row) && !endsInReturn(diff, partner);
  return [...cut(text, changed, tone, ground), ...(ends ? [{ ...span('^M', tone), ground }] : [])];
};

const cut = (text: string, ranges: readonly Range[], tone: Tone, ground: Ground): Line => {
  const spans: Span[] = [];
  let from = 0;
  for (const range of ranges) {
    spans.push(span(text.slice(from, range.from), tone));
    spans.push({ ...span(text.slice(range.from, range.to), tone), ground });
    from = range.to;
  }
  return [...spans, span(text.slice(from), tone)];
};
