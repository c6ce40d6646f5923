/**
 * What a terminal does not show of a text: escape sequences, control characters but for line breaks and tabs, and characters of no width. A secret with a
 * colour in its middle is still one on the screen.
 */
const hidden =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u200c\u2060\ufeff]|\u200d/g;

/** `at[i]` is where the visible character `i` stands in the whole text; one more names the end. */
export interface VisibleText {
  readonly text: string;
  readonly at: (index: number) => number;
}

/** The text as it is seen, and the way back. Linear in the text. */
export const visibleText = (whole: string): VisibleText => {
  /** Where visible pieces begin: in the visible text, and in the whole one. */
  const pieces: { readonly seen: number; readonly whole: number }[] = [{ seen: 0, whole: 0 }];
  let text = '';
  let from = 0;
  for (const { 0: match, index } of whole.matchAll(hidden)) {
    text += whole.slice(from, index);
    from = index + match.length;
    pieces.push({ seen: text.length, whole: from });
  }
  text += whole.slice(from);
  return { text, at: (index) => placeOf(pieces, index) };
};

const placeOf = (
  pieces: readonly { readonly seen: number; readonly whole: number }[],
  index: number,
): number => {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.seen ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  const piece = pieces[low];
  return piece === undefined ? index : piece.whole + index - piece.seen;
};

/** The text as it is seen, without the way back. */
export const withoutHidden = (text: string): string => text.replace(hidden, '');

/** Only what is hidden of a piece of text. */
export const hiddenText = (text: string): string => (text.match(hidden) ?? []).join('');

/** Whether there may be something hidden: one cheap look that most text ends at. */
export const mayHide = (text: string): boolean =>
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200d\u2060\ufeff]/.test(text);
