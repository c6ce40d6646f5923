import { startOf, widthOf, wrapRanges } from '../../src/words/width.ts';
import type { Line, Span } from './span.ts';

/** A line broken at exactly `width` cells: output is not prose, and its columns must stay. One blank at which a row ends is left out. */
export const wrapLine = (line: Line, width: number): readonly Line[] => {
  const rows: Span[][] = [[]];
  let left = Math.max(1, width);
  for (const piece of line) {
    let rest = piece.text;
    while (widthOf(rest) > left) {
      const fits = startOf(rest, left);
      if (fits === '' && left === Math.max(1, width)) break;
      rows.at(-1)?.push({ ...piece, text: fits });
      rest = rest.slice(fits.length).replace(/^ (?! )/u, '');
      rows.push([]);
      left = Math.max(1, width);
    }
    rows.at(-1)?.push({ ...piece, text: rest });
    left -= widthOf(rest);
  }
  return rows;
};

/** A line of prose in rows of at most `width` cells, broken at blanks where possible. */
export const wrapWords = (line: Line, width: number): readonly Line[] => {
  const text = line.map((piece) => piece.text).join('');
  return wrapRanges(text, Math.max(1, width)).map(([from, to]) => {
    let at = 0;
    return line.flatMap((piece): Line => {
      const start = at;
      at += piece.text.length;
      const part = piece.text.slice(Math.max(0, from - start), Math.max(0, to - start));
      return part === '' ? [] : [{ ...piece, text: part }];
    });
  });
};

/** The line with every match of `wanted` (in lower case) inverse. */
export const highlighted = (line: Line, wanted: string): Line =>
  wanted === ''
    ? line
    : line.flatMap((piece): readonly Span[] => {
        const spans: Span[] = [];
        const lower = piece.text.toLowerCase();
        // A character whose lower case is longer would shift the rest.
        if (lower.length !== piece.text.length) return [piece];
        let from = 0;
        for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
          spans.push({ ...piece, text: piece.text.slice(from, at) });
          from = at + wanted.length;
          spans.push({ ...piece, text: piece.text.slice(at, from), inverse: true });
        }
        return [...spans, { ...piece, text: piece.text.slice(from) }];
      });
