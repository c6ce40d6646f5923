import { widthOf, wrapRanges } from '../width.ts';

/** A piece of a line of Markdown with its meaning. The theme decides its look. */
export interface MarkedSpan {
  readonly text: string;
  readonly strong?: boolean;
  readonly emphasis?: boolean;
  readonly struck?: boolean;
  /** Absent is plain text. `frame`: bars, rules and corners. `marker`: the bullet or number of an item. */
  readonly role?: MarkedRole;
}

export type MarkedRole =
  | 'heading'
  | 'code'
  | 'link'
  | 'address'
  | 'quote'
  | 'marker'
  | 'frame'
  | 'added'
  | 'removed';

export const widthOfSpans = (spans: readonly MarkedSpan[]): number =>
  spans.reduce((sum, { text }) => sum + widthOf(text), 0);

/** The spans in rows of at most `width` cells, broken at blanks where possible. At least one row. */
export const wrapSpans = (
  spans: readonly MarkedSpan[],
  width: number,
): readonly (readonly MarkedSpan[])[] => {
  const text = spans.map((piece) => piece.text).join('');
  return wrapRanges(text, Math.max(1, width)).map(([from, to]) => between(spans, from, to));
};

/** The spans in rows of exactly `width` cells but the last: columns of code must stay. */
export const breakSpans = (
  spans: readonly MarkedSpan[],
  width: number,
): readonly (readonly MarkedSpan[])[] => {
  const text = spans.map((piece) => piece.text).join('');
  return wrapRanges(text, Math.max(1, width), 'cells').map(([from, to]) => between(spans, from, to));
};

/** The characters `from` to `to` of the text of all spans. */
const between = (spans: readonly MarkedSpan[], from: number, to: number): readonly MarkedSpan[] => {
  const kept: MarkedSpan[] = [];
  let at = 0;
  for (const piece of spans) {
    const text = piece.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (text !== '') kept.push({ ...piece, text });
    at += piece.text.length;
    if (at >= to) break;
  }
  return kept;
};
