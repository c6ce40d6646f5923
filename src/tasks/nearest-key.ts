/**
 * "did you mean blockedBy?": the known key nearest to an unknown one, or `null` when none is near. Ignores case, `_` and `-`, so
 * that `blocked_by` finds `blockedBy`. A third of the remaining letters may differ.
 */
export const nearestKey = (unknown: string, known: readonly string[]): string | null => {
  const wanted = bare(unknown);
  let best: string | null = null;
  let least = Math.floor(Math.max(wanted.length, 3) / 3) + 1;
  for (const key of known) {
    const steps = distance(wanted, bare(key));
    if (steps < least) {
      least = steps;
      best = key;
    }
  }
  return best;
};

const bare = (key: string): string =>
  key
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');

/** The number of insertions, deletions, replacements and swaps of neighbours between two texts. */
const distance = (a: string, b: string): number => {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let steps = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        steps = Math.min(steps, (before[column - 2] ?? 0) + 1);
      }
      next.push(steps);
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? 0;
};
