import { overlayRows } from '../draw/page.ts';
import type { HelpRow } from './help-row.ts';

/** Columns of the screen from which the help has two columns of rows. */
const twoFrom = 180;

/** How many columns of rows the help has on a screen of so many cells. */
export const helpColumns = (columns: number): 1 | 2 => (columns < twoFrom ? 1 : 2);

/** Cells of the help's frame on a screen of so many. */
export const helpWidth = (columns: number): number =>
  Math.min(helpColumns(columns) === 2 ? 200 : 120, columns - 4);

/** Cells of one column of rows. */
export const helpColumnWidth = (columns: number): number => {
  const inner = helpWidth(columns) - 4;
  return helpColumns(columns) === 2 ? Math.floor((inner - betweenColumns) / 2) : inner;
};

/** Cells between the two columns. */
export const betweenColumns = 2;

/** Cells for the keys of a row. */
export const keysWidth = 10;

/** Where the second column begins when all rows fit: at the first row of a key or a group, near the middle. */
export const splitOf = (rows: readonly HelpRow[]): number => {
  const half = rows.findIndex((row, index) => index >= rows.length / 2 && isFirst(row));
  return half < 0 ? rows.length : half;
};

/** Rows of the first column from `top` on, at most `height`: a key and its sentence stay in one column. */
export const firstColumn = (rows: readonly HelpRow[], top: number, height: number): number => {
  let length = height;
  while (length > 1 && rows[top + length] !== undefined && !isFirst(rows[top + length])) length -= 1;
  return length;
};

const isFirst = (row: HelpRow | undefined): boolean => row?.kind !== 'key' || row.keys !== '';

/** Rows that the help shows in one column. */
export const helpHeight = (rows: number): number => Math.max(1, overlayRows(rows) - 1);
