/** Characters of an output that are compared (src/discovery/README.md, The loop). */
export const comparedLength = 1_000;

/**
 * True when two outputs say the same: an indel similarity of at least 0.99 over their first 1,000 characters, runs of digits folded.
 * Empty outputs never do. Similarity is `1 - distance / (length + length)`; the distance counts inserted and deleted characters.
 */
export const saysTheSame = (one: string, other: string): boolean => {
  const a = folded(one);
  const b = folded(other);
  if (a.length === 0 || b.length === 0) return false;
  return indelWithin(a, b, Math.floor((a.length + b.length) / 100));
};

/** Folds each run of digits to one, because times, counters and hashes differ in each turn. Splits by code points, so that no character is cut. */
const folded = (text: string): readonly string[] =>
  [...text.trim()].slice(0, comparedLength).join('').replace(/\d+/g, '0').split('');

/**
 * True when at most `most` insertions and deletions turn one into the other. The greedy
 * algorithm of Myers (1986), stopped at the bound: (length × most) steps.
 */
const indelWithin = (a: readonly string[], b: readonly string[], most: number): boolean => {
  if (Math.abs(a.length - b.length) > most) return false;
  const furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= most; edits += 1)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const below = furthest.get(diagonal + 1) ?? -1;
      const right = furthest.get(diagonal - 1) ?? -1;
      let x = diagonal === -edits || (diagonal !== edits && right < below) ? below : right + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return true;
    }
  return false;
};
