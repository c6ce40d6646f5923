import { widthOf } from '../../words/width.ts';

/** A longer cell moves what follows in its row, so that one long value does not push a whole column off the screen. */
const widestColumn = 48;

/** Rows as columns two blanks apart, the last one unpadded. Cells must be safe text. */
export const formatTable = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(0, ...rows.map((row) => widthOf(row[column] ?? '')).filter((width) => width <= widestColumn)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1
            ? cell
            : cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
