import { layTableRow } from './lay-table.ts';
import type { MarkdownLook } from './look.ts';
import type { MarkdownLine, MarkdownRow } from './markdown-line.ts';
import { breakSpans, type MarkedSpan, widthOfSpans, wrapSpans } from './marked-span.ts';

/** A line of Markdown as rows of at most `width` cells. */
export const layLine = (line: MarkdownLine, width: number, look: MarkdownLook): readonly MarkdownRow[] => {
  // Deep lists and quotes keep half of the width for their words.
  const isDeep = widthOfSpans(line.hang) > width / 2;
  const [lead, hang] = isDeep ? [line.lead.slice(-1), [{ text: '  ' }]] : [line.lead, line.hang];
  const room = Math.max(1, width - widthOfSpans(hang));
  return rowsOf(line, room, look).map((spans, index) => ({
    source: line.source,
    spans: [...(index === 0 ? lead : hang), ...spans],
  }));
};

const rowsOf = (line: MarkdownLine, room: number, look: MarkdownLook): readonly (readonly MarkedSpan[])[] => {
  switch (line.kind) {
    case 'words':
      return wrapSpans(line.spans, room);
    case 'code':
      return breakSpans(line.spans, room);
    case 'rule':
      return [[{ text: look.rule.repeat(room), role: 'frame' }]];
    case 'table':
      return layTableRow(line.table, line.row, room, look);
  }
};
