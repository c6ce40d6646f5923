import type { Theme, Tone } from '../theme.ts';
import { truncate, widthOf } from './width.ts';

/** A piece of one line. Panes are made of lines of exactly their width, so nothing ever wraps, overlaps or shines through. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
  readonly bold?: boolean;
  readonly inverse?: boolean;
}

export type Line = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({ text, tone });
export const bold = (text: string, tone: Tone = 'plain'): Span => ({ text, tone, bold: true });
export const blank: Line = [];

/** The line in exactly `width` cells: cut with an ellipsis, or filled with blanks. */
export const fitLine = (line: Line, width: number, theme: Theme): Line => {
  const fitted: Span[] = [];
  let left = Math.max(0, width);
  const drawn = line.map((piece) => (theme.options.ascii ? { ...piece, text: asciiOf(piece.text) } : piece));
  const total = drawn.reduce((sum, piece) => sum + widthOf(piece.text), 0);
  if (total <= left) return total === left ? drawn : [...drawn, span(' '.repeat(left - total))];
  for (const piece of drawn) {
    const whole = widthOf(piece.text) < left;
    // The piece that ends exactly at the edge is cut as well: something comes after it.
    const text = whole ? piece.text : truncate(`${piece.text}  `, left, theme.glyphs.ellipsis);
    fitted.push({ ...piece, text });
    left -= widthOf(text);
    if (!whole) break;
  }
  return left > 0 ? [...fitted, span(' '.repeat(left))] : fitted;
};

/** `left` and `right` at the two ends of one line; the left one gives way. */
export const spread = (left: Line, right: Line, width: number, theme: Theme): Line => {
  const rightWidth = Math.min(widthOfLine(right), Math.max(0, width - 1));
  if (rightWidth === 0) return fitLine(left, width, theme);
  const gap = rightWidth < width ? 1 : 0;
  return [
    ...fitLine(left, width - rightWidth - gap, theme),
    span(' '.repeat(gap)),
    ...fitLine(right, rightWidth, theme),
  ];
};

export const widthOfLine = (line: Line): number => line.reduce((sum, piece) => sum + widthOf(piece.text), 0);

/** A line filled to its end with a rule: `─ Tasks ─────── 3 of 8 ─`. */
export const ruled = (left: Line, right: Line, width: number, focused: boolean, theme: Theme): Line => {
  const rule = focused ? theme.glyphs.focusRule : theme.glyphs.rule;
  const tone: Tone = focused ? 'accent' : 'quiet';
  const draw = (length: number): Span => span(rule.repeat(Math.max(0, length)), tone);
  const tail: Line = right.length === 0 ? [] : [span(' '), ...right, span(' '), draw(1)];
  const head: Line = left.length === 0 ? [] : [draw(1), span(' '), ...left, span(' ')];
  const free = width - widthOfLine(head) - widthOfLine(tail);
  return free >= 0
    ? fitLine([...head, draw(free), ...tail], width, theme)
    : fitLine([...head, draw(Math.max(0, width - widthOfLine(head)))], width, theme);
};

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
};

/** Our own signs in ASCII, one for one; text from outside keeps its letters. */
const asciiOf = (text: string): string => text.replace(/[·…›↑↓←→–—]/g, (sign) => asciiForms[sign] ?? sign);
