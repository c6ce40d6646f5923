import { graphemesOf, startOf, widthOf } from '../../src/words/width.ts';
import type { Line, Span } from './span.ts';

/** The cells `from` to `from + width` of a line. A wide character that the left edge cuts becomes a blank. */
export const sliceLine = (line: Line, from: number, width: number): Line => {
  const kept: Span[] = [];
  let skip = from;
  let left = width;
  for (const piece of line) {
    const cells = widthOf(piece.text);
    if (skip >= cells) {
      skip -= cells;
      continue;
    }
    const text = startOf(skip === 0 ? piece.text : withoutStart(piece.text, skip), left);
    skip = 0;
    left -= widthOf(text);
    kept.push({ ...piece, text });
    if (left <= 0) break;
  }
  return kept;
};

const withoutStart = (text: string, cells: number): string => {
  let skipped = 0;
  let at = 0;
  for (const part of graphemesOf(text)) {
    if (skipped >= cells) break;
    skipped += widthOf(part);
    at += part.length;
  }
  return ' '.repeat(skipped - cells) + text.slice(at);
};
