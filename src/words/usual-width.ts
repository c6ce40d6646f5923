/**
 * Cells of a column of names, so that what follows aligns. A few names much longer than the others stick out of the column instead of taking room
 * from every row.
 */
export const usualWidth = (widths: readonly number[]): number => {
  const sorted = widths.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) * 0.8)] ?? 0;
  return sorted.findLast((each) => each <= usual + 6) ?? 0;
};
