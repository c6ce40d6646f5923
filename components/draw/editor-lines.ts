import { graphemes } from '../../src/base/segmenters.ts';
import { startOf, widthOf } from '../../src/words/width.ts';
import type { Editor } from '../keys/line-editor.ts';
import type { Line } from './span.ts';
import { span } from './span.ts';

/** A text field in at most `height` lines of `width` cells. The cursor is an inverse cell and always visible. Marks at the left tell that more is above or below. */
export const editorLines = (editor: Editor, width: number, height: number): readonly Line[] => {
  const whole = layRows(editor.text, width);
  const isCut = whole.length > height;
  const rows = isCut ? layRows(editor.text, width - 1) : whole;
  const at = rows.findLastIndex((row) => row.from <= editor.at);
  const top = Math.max(0, Math.min(rows.length - height, at - height + 1));
  const markOf = (index: number): Line => {
    const isMore = (index === 0 && top > 0) || (index === height - 1 && top + height < rows.length);
    return isCut ? [span(isMore ? '…' : ' ', 'accent')] : [];
  };
  return rows.slice(top, top + height).map((row, index) => {
    const mark = markOf(index);
    if (top + index !== at) return [...mark, span(row.text)];
    const before = row.text.slice(0, editor.at - row.from);
    const rest = row.text.slice(editor.at - row.from);
    const under = rest === '' ? ' ' : firstOf(rest);
    return [
      ...mark,
      span(before),
      { text: under, caret: true },
      span(rest.slice(rest === '' ? 0 : under.length)),
    ];
  });
};

/** Rows that the whole text takes. */
export const editorRows = ({ text }: Editor, width: number): number => layRows(text, width).length;

interface Row {
  readonly text: string;
  /** Offset of its first character. */
  readonly from: number;
}

/** Breaks after a blank where there is one, as editors do. */
const layRows = (text: string, width: number): readonly Row[] => {
  const rows: Row[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    let rest = line;
    let start = from;
    // One cell stays free for a cursor after the last character.
    while (widthOf(rest) >= width) {
      const fits = startOf(rest, width - 1) || firstOf(rest);
      const part = fits.slice(0, fits.lastIndexOf(' ') + 1) || fits;
      rows.push({ text: part, from: start });
      start += part.length;
      rest = rest.slice(part.length);
    }
    rows.push({ text: rest, from: start });
    from += line.length + 1;
  }
  return rows;
};

const firstOf = (text: string): string =>
  [...graphemes.segment(text.slice(0, 64))][0]?.segment ?? text.slice(0, 1);
