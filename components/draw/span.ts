import { truncate, truncateMiddle, widthOf } from '../../src/words/width.ts';
import type { Target } from '../keys/mouse.ts';
import type { Ground, Tone } from './palettes.ts';
import type { Theme } from './theme.ts';

/** A piece of one line. Panes consist of lines of exactly their width, so nothing wraps, overlaps or shines through. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly inverse?: boolean;
  /** The place where one types. A terminal shows its own cursor there, which input methods follow; elsewhere it is an inverse cell. */
  readonly caret?: true;
  /** The background under it. */
  readonly ground?: Ground;
  /** On the first piece of a line: this background is under the whole row, to its end. */
  readonly row?: Ground;
  /** Where the line is too long, this piece gives way first, down to so many cells, in its middle: the end of a path or an id is the most telling part. */
  readonly shortest?: number;
  /** A program's own colours: SGR parameters of at most the theme's depth. They precede the tone. */
  readonly sgr?: string;
  /** The target of a click on it. `null` ends the list row on its left. */
  readonly target?: Target | null;
}

export type Line = readonly Span[];

export const span = (text: string, tone: Tone = 'text'): Span => ({ text, tone });
export const bold = (text: string, tone: Tone = 'text'): Span => ({ text, tone, bold: true });
export const path = (text: string): Span => ({ ...span(text), shortest: 20 });
/** A task's id in front of words about it, which stay whole. */
export const name = (text: string): Span => ({ ...bold(text), shortest: 8 });
export const blank: Line = [];

/** "waits for schema, docs" and "after build": the `lead` that says so is secondary, the names are not. */
export const reason = (words: string, lead: string, tone: Tone = 'secondary'): Line =>
  lead === '' || tone !== 'secondary'
    ? [span(words, tone)]
    : [span(words.slice(0, lead.length), tone), span(words.slice(lead.length))];

/** The first cell of the row of a list: under the cursor it has a mark, and the row a background. Weaker without the focus. */
export const cursorMark = (here: boolean, theme: Theme, focused = true): Span =>
  here
    ? {
        text: theme.glyphs.cursor,
        tone: focused ? 'accent' : 'secondary',
        row: focused ? 'selection' : 'selection-weak',
      }
    : span(' ');

/** The line as a row of a list: `target` receives clicks, except on pieces with their own target. */
export const rowFor = (target: Target, line: Line): Line =>
  line.map((piece, index) => (index === 0 ? { ...piece, target } : piece));

const wholeRow: readonly Target['kind'][] = ['task', 'signal', 'line', 'row', 'item'];

/** The target of a click on this cell: its own piece's, else its row's. */
export const targetAt = (line: Line, column: number): Target | null => {
  let start = 0;
  let row: Target | null | undefined;
  for (const { text, target } of line) {
    const end = start + widthOf(text);
    if (target !== undefined && column >= start && column < end) return target;
    const begins = target === null || (target !== undefined && wholeRow.includes(target.kind));
    // The frame left of the first row belongs to that row.
    if (begins && (row === undefined || start <= column)) row = target;
    start = end;
  }
  return row ?? null;
};

/** The line in at most `width` cells. A longer one is cut with an ellipsis; a row with a background is filled. */
export const fitLine = (line: Line, width: number, theme: Theme): Line => {
  const ground = line[0]?.row;
  return ground === undefined ? fitPieces(line, width, theme) : rowOn(ground, line, width, theme);
};

/** The background under every piece and to the end of the row. */
const rowOn = (ground: Ground, line: Line, width: number, theme: Theme): Line => {
  const fitted = fitPieces(line, width, theme);
  const left = ' '.repeat(Math.max(0, width - widthOfLine(fitted)));
  return [...fitted, span(left)].map(({ row: _row, ...piece }) => onGround(piece, ground));
};

/** The piece on a background. Under the cursor nothing is secondary: it is read. */
export const onGround = (piece: Span, ground: Ground): Span => ({
  ground,
  ...piece,
  ...(ground === 'selection' && piece.tone === 'secondary' ? { tone: 'text' } : {}),
});

const fitPieces = (line: Line, width: number, theme: Theme): Line => {
  const drawn = theme.options.ascii ? line.map((piece) => ({ ...piece, text: asciiOf(piece.text) })) : line;
  const short = withShortPieces(drawn, width, theme);
  if (widthOfLine(short) <= width) return short;
  const fitted: Span[] = [];
  let left = Math.max(0, width);
  for (const piece of short) {
    const whole = widthOf(piece.text) < left;
    // A piece that ends exactly at the edge is cut too, because more follows.
    const text = whole ? piece.text : truncate(`${piece.text}  `, left, theme.glyphs.ellipsis);
    fitted.push({ ...piece, text });
    left -= widthOf(text);
    if (!whole) break;
  }
  return fitted;
};

/** The line with its paths and ids cut as far as its width needs. */
const withShortPieces = (line: Line, width: number, { glyphs }: Theme): Line => {
  let over = widthOfLine(line) - width;
  if (over <= 0) return line;
  return line.map((piece) => {
    if (piece.shortest === undefined || over <= 0) return piece;
    const own = widthOf(piece.text);
    const text = truncateMiddle(piece.text, Math.max(piece.shortest, own - over), glyphs.ellipsis);
    over -= own - widthOf(text);
    return { ...piece, text };
  });
};

/** The line in exactly `width` cells: cut, or filled with blanks. */
export const fillLine = (line: Line, width: number, theme: Theme): Line => {
  const fitted = fitLine(line, width, theme);
  const left = width - widthOfLine(fitted);
  return left > 0 ? [...fitted, span(' '.repeat(left))] : fitted;
};

/** `left` and `right` at the two ends of one line. The left one gives way. */
export const spread = (left: Line, right: Line, width: number, theme: Theme): Line => {
  const rightWidth = Math.min(widthOfLine(right), Math.max(0, width - 1));
  if (rightWidth === 0) return fitPieces(left, width, theme);
  const start = fitPieces(left, width - rightWidth - 1, theme);
  const gap = ' '.repeat(Math.max(1, width - rightWidth - widthOfLine(start)));
  return [...start, span(gap), ...fitLine(right, rightWidth, theme)];
};

export const widthOfLine = (line: Line): number => line.reduce((sum, piece) => sum + widthOf(piece.text), 0);

const asciiForms: Readonly<Record<string, string>> = {
  '·': '-',
  '…': '~',
  '›': '>',
  '↑': '^',
  '↓': 'v',
  '←': '<',
  '→': '>',
  '–': '-',
  '—': '-',
  '−': '-',
  '×': 'x',
  '✓': '+',
  '✗': 'x',
  '┝': '#',
  '┕': '#',
  '‹': '<',
  '▴': '^',
  '▾': 'v',
  '╌': '~',
  '╎': ':',
};

/** Our own symbols in ASCII, one for one. Foreign text keeps its characters. */
const asciiOf = (text: string): string =>
  text.replace(/[·…›↑↓←→–—−×✓✗┝┕‹▴▾╌╎]/g, (sign) => asciiForms[sign] ?? sign);
