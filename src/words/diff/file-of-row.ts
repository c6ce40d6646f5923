import type { Diff, DiffFile } from './diff.ts';

/** The file that a row belongs to. The gap before a file belongs to the one above. */
export const fileOfRow = (diff: Diff, row: number): DiffFile | null => {
  let low = 0;
  let high = diff.files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((diff.files[middle]?.top ?? 0) <= row) low = middle + 1;
    else high = middle;
  }
  return row < 0 ? null : (diff.files[low - 1] ?? null);
};
