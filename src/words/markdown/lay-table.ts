import type { MarkdownLook } from './look.ts';
import type { MarkdownTable } from './markdown-line.ts';
import { type MarkedSpan, widthOfSpans, wrapSpans } from './marked-span.ts';

type Spans = readonly MarkedSpan[];

/** Cells of the narrowest column. With less each row is a line of its own. */
const leastColumn = 6;
const between = 3;

/** One row of a table in `width` cells; `null` is the rule below its head. */
export const layTableRow = (
  table: MarkdownTable,
  row: number | null,
  width: number,
  look: MarkdownLook,
): readonly Spans[] => {
  const widths = columnWidths(table, width);
  if (widths === null) return row === null ? [] : narrowRow(table, row, width);
  const rule = (text: string): MarkedSpan => ({ text, role: 'frame' });
  if (row === null) {
    const joint = `${look.rule}${look.cross}${look.rule}`;
    return [[rule(widths.map((cells) => look.rule.repeat(cells)).join(joint))]];
  }
  const cells = (table.rows[row] ?? []).map((cell, column) => wrapSpans(cell, widths[column] ?? 1));
  const height = Math.max(1, ...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, index) =>
    widths.flatMap((room, column) => {
      const isLast = column === widths.length - 1;
      const drawn = aligned(cells[column]?.[index] ?? [], room, table.aligns[column] ?? null);
      return isLast ? drawn : [...drawn, rule(` ${look.bar} `)];
    }),
  );
};

const aligned = (spans: Spans, room: number, align: 'left' | 'right' | 'center' | null): Spans => {
  const left = Math.max(0, room - widthOfSpans(spans));
  const before = align === 'right' ? left : align === 'center' ? Math.floor(left / 2) : 0;
  return [{ text: ' '.repeat(before) }, ...spans, { text: ' '.repeat(left - before) }];
};

/** Cells of each column: as wide as its texts, the widest ones giving way. `null`: too many columns for this width. */
const columnWidths = ({ rows }: MarkdownTable, width: number): readonly number[] | null => {
  const wanted = (rows[0] ?? []).map((_, column) =>
    Math.max(1, ...rows.map((row) => widthOfSpans(row[column] ?? []))),
  );
  const room = width - between * (wanted.length - 1);
  if (wanted.reduce((sum, cells) => sum + Math.min(cells, leastColumn), 0) > room) return null;
  let limit = room;
  const total = (): number => wanted.reduce((sum, cells) => sum + Math.min(cells, limit), 0);
  while (limit > 1 && total() > room) limit -= 1;
  return wanted.map((cells) => Math.min(cells, limit));
};

/** `Criterion: polite · Status: met`. */
const narrowRow = ({ rows }: MarkdownTable, row: number, width: number): readonly Spans[] => {
  if (row === 0)
    return wrapSpans(
      (rows[0] ?? []).flatMap((cell, column) => joined(cell, column)),
      width,
    );
  const spans = (rows[row] ?? []).flatMap((cell, column) =>
    joined([...named(rows[0]?.[column]), ...cell], column),
  );
  return wrapSpans(spans, width);
};

const joined = (spans: Spans, column: number): Spans => (column === 0 ? spans : [{ text: ' · ' }, ...spans]);

const named = (head: Spans | undefined): Spans =>
  head === undefined || head.length === 0 ? [] : [...head, { text: ': ' }];
