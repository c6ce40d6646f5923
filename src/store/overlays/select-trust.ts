import { wrap } from '../../words/width.ts';
import type { TrustOverlay } from './start.ts';

/** Columns of the question's frame on a screen of `columns` columns. */
export const trustWidth = (columns: number): number => Math.min(100, columns - 4);

/** The question's lines as its frame shows them: a long command wraps and is never cut. */
export const selectTrustLines = ({ lines }: TrustOverlay, columns: number): readonly string[] =>
  lines.flatMap((line) => {
    const indent = line.startsWith(' ') ? 2 : 0;
    const rows = wrap(line.trim(), trustWidth(columns) - 4 - 2 * indent);
    return rows.map((row, index) => ' '.repeat(index === 0 ? indent : 2 * indent) + row);
  });
