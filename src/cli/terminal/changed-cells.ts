import { type Cell, cellsOf } from './frame-row.ts';

/** Unchanged cells up to this many are written again: a jump over them costs as many bytes. */
const shortestJump = 6;

/**
 * The bytes that make `row` of `old` on line `y` (from 1): each changed run of cells at its place, and the erased end of the line. A row
 * with wide or joined characters is written whole, because terminals differ about their widths.
 */
export const changedCells = (old: string, row: string, y: number): string => {
  const [before, after] = [cellsOf(old), cellsOf(row)];
  if (hasWide(before) || hasWide(after)) return `\u001b[${y}H\u001b[K${row}`;
  let written = '';
  let style = '';
  let at = -1;
  for (const { from, to } of runsOf(before, after)) {
    if (from !== at) written += at >= 0 && from > at ? `\u001b[${from - at}C` : `\u001b[${y};${from + 1}H`;
    for (const cell of after.slice(from, to)) {
      if (cell.style !== style) {
        written += `${style === '' ? '' : reset}${cell.style}`;
        style = cell.style;
      }
      written += cell.sign;
    }
    at = to;
  }
  if (after.length < before.length) {
    if (at !== after.length) written += `\u001b[${y};${after.length + 1}H`;
    return `${written}${style === '' ? '' : reset}\u001b[K`;
  }
  return style === '' ? written : written + reset;
};

const reset = '\u001b[0m';

interface Run {
  readonly from: number;
  readonly to: number;
}

const hasWide = (cells: readonly Cell[]): boolean => cells.some(({ sign }) => sign.length !== 1);

const isSame = (one: Cell | undefined, other: Cell | undefined): boolean =>
  one?.sign === other?.sign && one?.style === other?.style;

const runsOf = (before: readonly Cell[], after: readonly Cell[]): readonly Run[] => {
  const runs: { from: number; to: number }[] = [];
  for (let cell = 0; cell < after.length; cell += 1) {
    if (isSame(before[cell], after[cell])) continue;
    const last = runs.at(-1);
    if (last && cell - last.to <= shortestJump) last.to = cell + 1;
    else runs.push({ from: cell, to: cell + 1 });
  }
  return runs;
};
