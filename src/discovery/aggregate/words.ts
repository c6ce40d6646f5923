/** The words of a text: lower-case letters and digits. */
export const wordsOf = (text: string): ReadonlySet<string> => {
  const lower = text.toLowerCase();
  // Unicode classes cost ten times as much, and most findings are plain English.
  return new Set(lower.match(/^[\x20-\x7e]*$/.test(lower) ? /\w+/g : /[\p{L}\p{N}_]+/gu) ?? []);
};

/** The share of common words in the longer text: |A∩B| / max(|A|, |B|). 0 if one has no words. */
export const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / large.size;
};

/** From this overlap on, two texts count as equal (src/discovery/README.md, Aggregation). */
export const sameText = 0.8;

/**
 * Whether two ascending lists of word numbers overlap by at least `sameText`. Stops as soon as that is out of reach: with the rarest words first,
 * different texts differ after a few steps.
 */
export const sayTheSame = (a: readonly number[], b: readonly number[]): boolean => {
  const needed = Math.ceil(Math.max(a.length, b.length) * sameText - 1e-9);
  if (needed === 0 || Math.min(a.length, b.length) < needed) return false;
  let [left, right] = [a.length - needed, b.length - needed];
  for (let i = 0, j = 0; i < a.length && j < b.length && left >= 0 && right >= 0; ) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
    if (difference < 0) left -= 1;
    if (difference > 0) right -= 1;
    if (i === a.length) right -= b.length - j;
    else if (j === b.length) left -= a.length - i;
  }
  return left >= 0 && right >= 0;
};
