/**
 * How well `text` matches the query: higher is better, `null` is no match. Every word of the query must occur in it, best of all at the start of a
 * word. Case does not matter.
 */
export const partScore = (query: string, text: string): number | null => sumOf(query, text, partOf);

/** The same for letters that only follow in order from the start of a word: "aprv" finds "approve". An unbroken match scores best. */
export const fuzzyScore = (query: string, text: string): number | null =>
  sumOf(query, text, (word, hay) => partOf(word, hay) ?? scattered(word, hay));

const sumOf = (
  query: string,
  text: string,
  scoreOf: (word: string, hay: string) => number | null,
): number | null => {
  const hay = text.toLowerCase();
  let sum = 0;
  for (const word of query.toLowerCase().split(/\s+/)) {
    const score = word === '' ? 0 : scoreOf(word, hay);
    if (score === null) return null;
    sum += score;
  }
  return sum;
};

const partOf = (word: string, hay: string): number | null => {
  const starts = ` ${hay}`.search(new RegExp(`[^\\p{L}\\p{N}]${literal(word)}`, 'u'));
  if (starts >= 0) return 300 - starts;
  const inside = hay.indexOf(word);
  return inside >= 0 ? 200 - inside : null;
};

/** The word's letters in order and close together, from the start of a word on. The tightest of all places counts. */
const scattered = (word: string, hay: string): number | null => {
  let best: number | null = null;
  for (const { index: first } of hay.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
    const span = hay[first] === word[0] ? spanFrom(word, hay, first) : null;
    if (span === null || span >= word.length * 2) continue;
    // Of two places that are equally tight, the earlier one wins.
    const score = -span - first / 10_000;
    if (best === null || score > best) best = score;
  }
  return best;
};

/** The distance from the word's first letter, at `first`, to its last. `null` when a letter is missing. */
const spanFrom = (word: string, hay: string, first: number): number | null => {
  let at = first - 1;
  for (const letter of word) {
    at = hay.indexOf(letter, at + 1);
    if (at < 0) return null;
  }
  return at - first;
};

const literal = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
