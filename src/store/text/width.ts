import stringWidth from 'string-width';
import { graphemes } from '../../base/segmenters.ts';

/** Characters of one cell each, known without measuring: Latin letters with accents, arrows, frames and the signs of the screen. */
const plain =
  /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u1e00-\u1eff\u2010-\u2027\u2030-\u203b\u2190-\u2193\u21bb\u21e2\u2298\u2500-\u259f\u25b0\u25b1\u25b4\u25b8\u25be\u25c6\u25c7\u25c9\u25cb\u2713\u2717]*$/;

/** Whether each character is one cell, so that nothing needs measuring or grouping. */
export const isPlain = (text: string): boolean => plain.test(text);

/** The characters as a person perceives them. */
export const graphemesOf = (text: string): readonly string[] =>
  plain.test(text) ? [...text] : Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Cells of a text: 2 for wide characters, 0 for combining ones. */
export const widthOf = (text: string): number => (plain.test(text) ? text.length : stringWidth(text));

/** Cells of a text that contains SGR sequences. */
export const widthOfStyled = (text: string): number => widthOf(withoutStyles(text));

/** The text without SGR sequences. */
export const withoutStyles = (text: string): string => text.replaceAll(sgr, '');

/** Matches an SGR sequence. */
export const sgr = /\u001b\[[0-9;]*m/g;

/** The longest start of `text` that fits into `width` cells. Never splits a character. */
export const startOf = (text: string, width: number): string => {
  if (plain.test(text)) return text.slice(0, Math.max(0, width));
  let used = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > width) return kept;
    kept += segment;
  }
  return kept;
};

/** `text` in `width` cells, with the ellipsis at the end when it was cut. */
export const truncate = (text: string, width: number, ellipsis: string): string => {
  if (widthOf(text) <= width) return text;
  return width <= 0 ? '' : startOf(text, width - widthOf(ellipsis)) + ellipsis;
};

/** `text` in `width` cells, cut in its middle, because the end of a path is the most telling part. */
export const truncateMiddle = (text: string, width: number, ellipsis: string): string => {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  if (room <= 0) return '';
  const head = startOf(text, Math.floor(room / 3));
  const left = room - widthOf(head);
  let tail = '';
  for (const part of graphemesOf(text).toReversed()) {
    if (widthOf(part + tail) > left) break;
    tail = part + tail;
  }
  return head + ellipsis + tail;
};

/** `text` in lines of at most `width` cells, broken at blanks where possible. */
export const wrap = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)));

const wrapLine = (line: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let rest = line;
  while (widthOf(rest) > width) {
    const fits = startOf(rest, width) || [...graphemes.segment(rest)][0]?.segment || '';
    const blank = rest[fits.length] === ' ' ? fits.length : fits.lastIndexOf(' ');
    const cut = blank > 0 ? blank : fits.length;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut).replace(/^ /, '');
  }
  return [...lines, rest];
};
