import { memoise } from '../../base/memoise.ts';
import { type Diff, rowKind } from './diff.ts';

/** Which rows are next to each other. */
interface RowPairs {
  /** For a removed row the added row in its place, and the other way round. -1: there is none. */
  readonly partner: Int32Array;
  /** The rows of the diff in two columns, for each line of the screen. -1: that side is empty. A row without sides is in both. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** For each row of the diff its line in two columns. */
  readonly lineOf: Uint32Array;
}

/**
 * Pairs the first removed line of a run with the first added one, and so on, as reviewers know it. One pass over the whole diff, once for
 * each diff: what is drawn of it then costs the same wherever one reads.
 */
export const pairRows = memoise((diff: Diff): RowPairs => {
  const { kinds } = diff;
  const partner = new Int32Array(kinds.length).fill(-1);
  const left = new Int32Array(kinds.length);
  const right = new Int32Array(kinds.length);
  const lineOf = new Uint32Array(kinds.length);
  let lines = 0;
  const put = (one: number, other: number): void => {
    left[lines] = one;
    right[lines] = other;
    if (one >= 0) lineOf[one] = lines;
    if (other >= 0) lineOf[other] = lines;
    lines += 1;
  };
  const isA = (row: number, kind: number): boolean => kinds[row] === kind;
  /** The rows from `from` on of this kind, the notes about them included. */
  const endOf = (from: number, kind: number): number => {
    let row = from;
    while (isA(row, kind) || (row > from && isA(row, rowKind.note))) row += 1;
    return row;
  };
  for (let row = 0; row < kinds.length; ) {
    if (!isA(row, rowKind.removed) && !isA(row, rowKind.added)) {
      put(row, row);
      row += 1;
      continue;
    }
    const middle = endOf(row, rowKind.removed);
    const end = endOf(middle, rowKind.added);
    for (let index = 0; index < Math.max(middle - row, end - middle); index += 1) {
      const one = row + index < middle ? row + index : -1;
      const other = middle + index < end ? middle + index : -1;
      put(one, other);
      if (isA(one, rowKind.removed) && isA(other, rowKind.added)) {
        partner[one] = other;
        partner[other] = one;
      }
    }
    row = end;
  }
  return { partner, left: left.slice(0, lines), right: right.slice(0, lines), lineOf };
});
