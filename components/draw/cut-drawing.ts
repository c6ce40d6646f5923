import type { Beyond } from '../../src/graph/beyond.ts';
import { widthOf } from '../../src/words/width.ts';
import { sliceLine } from './slice-line.ts';
import { type Line, span, widthOfLine } from './span.ts';
import type { Theme } from './theme.ts';

/** The cells `from` to `from + width` of a row of a drawing. A mark stands where it continues beyond an edge. */
export const cutLine = (line: Line, from: number, width: number, { glyphs }: Theme): Line => {
  const cells = widthOfLine(line);
  const isCut = (start: number, length: number): boolean =>
    length > 0 && sliceLine(line, start, length).some(({ text }) => text.trim() !== '');
  const before = isCut(0, from) ? 1 : 0;
  const after = isCut(from + width, cells - from - width) ? 1 : 0;
  const shown = sliceLine(line, from + before, width - before - after);
  const missing = width - before - after - widthOfLine(shown);
  return [
    ...(before ? [span(glyphs.beyond.left, 'accent')] : []),
    ...shown,
    ...(after ? [span(' '.repeat(Math.max(0, missing))), span(glyphs.beyond.right, 'accent')] : []),
  ];
};

/** Rows of a drawing that say in the first and the last of them what is above and below, where these have room for it. */
export const markBeyond = (
  rows: readonly Line[],
  { above, below }: Beyond,
  width: number,
  { glyphs }: Theme,
): readonly Line[] =>
  rows.map((line, index) => {
    const marks = [
      ...(index === 0 && above !== null ? [`${glyphs.beyond.above} ${above}`.trim()] : []),
      ...(index === rows.length - 1 && below !== null ? [`${glyphs.beyond.below} ${below}`.trim()] : []),
    ];
    return marks.length === 0 ? line : withMark(line, marks.join(' '), width);
  });

/** The mark in the last gap of the row, a blank on each side but at the end of the row; over that end where no gap has room. */
const withMark = (line: Line, mark: string, width: number): Line => {
  const text = line.map((piece) => piece.text).join('');
  const filled = `${text}${' '.repeat(Math.max(0, width - widthOf(text)))} `;
  const room = widthOf(mark) + 2;
  const gap = [...filled.matchAll(/ +/g)].findLast(([blanks]) => blanks.length >= room);
  const end = gap === undefined ? width + 1 : widthOf(filled.slice(0, gap.index)) + gap[0].length;
  const start = sliceLine([...line, span(' '.repeat(width))], 0, Math.max(0, end - room));
  return [...start, span(` ${mark}${end > width ? '' : ' '}`, 'accent'), ...sliceLine(line, end, width)];
};
