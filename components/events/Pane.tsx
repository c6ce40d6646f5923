import { formatClock, type LocalTime } from '../../src/words/local-time.ts';
import { wrap } from '../../src/words/width.ts';
import { Lines } from '../draw/Lines.tsx';
import { cursorMark, type Line, rowFor, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import type { PaneProps } from '../pane/pane-props.ts';
import { readingOf } from '../reading.ts';
import { withKeys } from '../table.ts';
import { type EventRow, selectEventFields, selectEvents } from './select-events.ts';

/** What happened, one sentence per line, or the journal as written, with all fields of the event under the cursor. */
export const EventsPane = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const { at: chosen, filter, open, raw } = readingOf(view.ui, 'events');
  const room = height - (filter === '' ? 0 : 1);
  const fields =
    chosen !== null && open
      ? selectEventFields(view).flatMap(([key, text]) => fieldLines(key, text, width))
      : [];
  // Some neighbouring events stay visible.
  const told = fields.slice(0, Math.max(1, room - 4));
  const { rows, count, of, at } = selectEvents(view, room - told.length);
  const lines = rows.flatMap((row): readonly Line[] => {
    const here = row.seq === at;
    const cursor = cursorMark(here, theme, focused);
    const line = rowFor({ kind: 'row', pane: 'events', at: String(row.seq) }, [
      cursor,
      ...eventLine(row, now),
    ]);
    return here ? [line, ...told] : [line];
  });
  const next = count === 0 && !raw ? '{read.raw} searches the raw events' : '{read.filter} to edit';
  const filtered = ` matching "${filter}": ${count} of ${of}${withKeys(view, ` · ${next}`)}`;
  return (
    <Lines
      lines={[...(filter === '' ? [] : [[span(filtered, 'held')]]), ...lines]}
      width={width}
      height={height}
    />
  );
};

const eventLine = (row: EventRow, now: LocalTime): Line => [
  span(`${formatClock(row.at, now)} `, 'secondary'),
  span(row.type === null ? '' : `${row.type.padEnd(20)} `),
  span(row.text, row.tone),
];

const keyWidth = 12;

const fieldLines = (key: string, text: string, width: number): readonly Line[] =>
  wrap(text, Math.max(10, width - keyWidth - 3)).map(
    (part, index): Line => [
      span(`  ${index === 0 ? key.padEnd(keyWidth) : ' '.repeat(keyWidth)} `, 'secondary'),
      span(part),
    ],
  );
