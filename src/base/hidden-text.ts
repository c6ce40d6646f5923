/**
 * The parts of a text that a terminal does not show: escape sequences, control characters except line breaks and tabs, and zero-width characters.
 * A secret with a colour sequence inside is still readable on the screen.
 */
const hidden =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u200c\u2060\ufeff]|\u200d/g;

/** `at(i)` is the position of the visible character `i` in the whole text. The index after the last character gives the end. */
interface VisibleText {
  readonly text: string;
  readonly at: (index: number) => number;
}

/** The visible text, with a mapping back to the whole one. Linear in the text. */
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

/** The visible text, without the mapping back. */
export const withoutHidden = (text: string): string => text.replace(hidden, '');

/** Only the hidden parts of a text. */
export const hiddenText = (text: string): string => (text.match(hidden) ?? []).join('');

/** Whether the text may contain hidden characters: one cheap test that nearly every text fails. */
export const mayHide = (text: string): boolean =>
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200d\u2060\ufeff]/.test(text);
