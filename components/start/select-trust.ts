import { wrap } from '../../src/words/width.ts';
import type { TrustOverlay } from './start-list.ts';

/** Columns of the question's frame on a screen of `columns` columns. */
export const trustWidth = (columns: number): number => Math.min(100, columns - 4);

/** The question scrolled to the next row with the text, around its end; where none has it, it stays. */
export const searchTrust = (
  overlay: TrustOverlay,
  { text, by }: { readonly text: string; readonly by: 1 | 0 | -1 },
  columns: number,
): TrustOverlay => {
  const rows = selectTrustLines(overlay, columns);
  const found = trustMatches(rows, text);
  const after =
    by < 0 ? found.findLast((row) => row < overlay.top) : found.find((row) => row >= overlay.top + by);
  const top = after ?? (by < 0 ? found.at(-1) : found[0]) ?? overlay.top;
  return { ...overlay, find: text, top };
};

/** The rows that have the text, in any case. */
export const trustMatches = (rows: readonly string[], text: string): readonly number[] =>
  text === ''
    ? []
    : rows.flatMap((row, index) => (row.toLowerCase().includes(text.toLowerCase()) ? [index] : []));

/** The question's lines as its frame shows them: a long command wraps and is never cut. */
export const selectTrustLines = ({ lines }: TrustOverlay, columns: number): readonly string[] =>
  lines.flatMap((line) => {
    const indent = line.startsWith(' ') ? 2 : 0;
    const rows = wrap(line.trim(), trustWidth(columns) - 4 - 2 * indent);
    return rows.map((row, index) => ' '.repeat(index === 0 ? indent : 2 * indent) + row);
  });
