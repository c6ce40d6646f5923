/** The text as a sentence: one full stop at its end, also where it brings its own, and none behind a question. */
export const asSentence = (text: string): string => {
  const whole = text.trimEnd();
  return /[?!…]$/.test(whole) ? whole : whole.replace(/\.*$/, '.');
};

/** Names at most `most` items. The rest is a number. */
export const list = (items: readonly string[], most: number): string => {
  const named = items.slice(0, most);
  const rest = items.length - named.length;
  if (rest > 0) return `${named.join(', ')} and ${rest} more`;
  return named.length < 3 ? named.join(' and ') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
};
