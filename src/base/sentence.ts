/** The text as a sentence: one full stop at its end, also where it brings its own, and none behind a question. */
export const asSentence = (text: string): string => {
  const whole = text.trimEnd();
  return /[?!…]$/.test(whole) ? whole : whole.replace(/\.*$/, '.');
};
