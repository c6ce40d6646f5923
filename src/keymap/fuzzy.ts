/**
 * How well `text` fits what was typed, higher is better; `null` when it does not. Every word of the query has to be found: as a whole, best at the
 * start of a word, else letter by letter in order. Case does not matter.
 */
export const fuzzyScore = (query: string, text: string): number | null => {
  const hay = text.toLowerCase();
  let sum = 0;
  for (const word of query.toLowerCase().split(/\s+/)) {
    const score = word === '' ? 0 : wordScore(word, hay);
    if (score === null) return null;
    sum += score;
  }
  return sum;
};

const wordScore = (word: string, hay: string): number | null => {
  const starts = ` ${hay}`.search(new RegExp(`[^\\p{L}\\p{N}]${literal(word)}`, 'u'));
  if (starts >= 0) return 300 - starts;
  const inside = hay.indexOf(word);
  if (inside >= 0) return 200 - inside;
  return scattered(word, hay);
};

/** Letters in order, close together; the tighter they stand, the better. */
const scattered = (word: string, hay: string): number | null => {
  let at = -1;
  let first = -1;
  for (const letter of word) {
    at = hay.indexOf(letter, at + 1);
    if (at < 0) return null;
    if (first < 0) first = at;
  }
  return at - first < word.length * 2 ? first - at : null;
};

const literal = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
