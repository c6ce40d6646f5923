/**
 * The table of the longest common subsequence: its length for what follows from `row` of the left and `column` of the right on. Takes
 * time and memory by the product of both lengths; the caller bounds it.
 */
export const commonLengths = (
  left: readonly string[],
  right: readonly string[],
): ((row: number, column: number) => number) => {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  return at;
};
