import stringWidth from 'string-width';
import { graphemes } from '../base/segmenters.ts';

/** Characters of one cell each, known without measuring: Latin letters with accents, arrows, frames and the signs of the screen. */
const plain =
  /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u1e00-\u1eff\u2010-\u2027\u2030-\u203b\u2190-\u2193\u21bb\u21e2\u2298\u2500-\u259f\u25b0\u25b1\u25b4\u25b8\u25be\u25c6\u25c7\u25c9\u25cb\u2713\u2717\u2800-\u28ff]*$/;

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
  const most = Math.max(0, width);
  // With one more: a combining sign belongs to what stands before it.
  if (plain.test(text.slice(0, most + 1))) return text.slice(0, most);
  let used = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
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

/** The first words of `text` in `width` cells, with the ellipsis behind them when some are left out. */
export const wholeWords = (text: string, width: number, ellipsis: string): string => {
  if (widthOf(text) <= width) return text;
  const [first = ''] = wrap(text, width - widthOf(ellipsis) - 1);
  return truncate(`${first.trimEnd()} ${ellipsis}`, width, ellipsis);
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
  text
    .split('\n')
    .flatMap((line) => wrapRanges(line, Math.max(1, width)).map(([from, to]) => line.slice(from, to)));

/** The start and the end of each row when one line is broken at `width` cells: at blanks where possible, then after a slash, or exactly there. */
export const wrapRanges = (
  line: string,
  width: number,
  at: 'words' | 'cells' = 'words',
): readonly (readonly [from: number, to: number])[] => {
  const ranges: [number, number][] = [];
  let from = 0;
  for (;;) {
    const rest = line.slice(from);
    const fits = startOf(rest, width) || firstOf(rest);
    if (fits.length === rest.length) return [...ranges, [from, line.length]];
    const cut = at === 'cells' ? fits.length : breakOf(rest, fits.length);
    ranges.push([from, from + cut]);
    from += cut;
    // No row begins with the blanks that it is broken at.
    if (at === 'words') while (line[from] === ' ') from += 1;
    if (from === line.length) return ranges;
  }
};

const firstOf = (text: string): string =>
  graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';

/** Where a row of at most `most` characters ends: after a word, between characters that need no blank, or after a folder of a long path. */
const breakOf = (rest: string, most: number): number => {
  if (rest[most] === ' ' || (unspaced.test(rest[most - 1] ?? '') && unspaced.test(rest[most] ?? '')))
    return most;
  const blank = rest.lastIndexOf(' ', most - 1);
  if (blank > 0) return blank;
  const slash = rest.lastIndexOf('/', most - 1);
  return slash > 0 ? slash + 1 : most;
};

/** Writing without blanks between words: Chinese, Japanese, Korean. */
const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff10-\uff9f]/;
