import { withKeys } from '../../src/keymap/table.ts';
import { formatClock, type Moment } from '../../src/store/moment.ts';
import { type EventRow, selectEventFields, selectEvents } from '../../src/store/select-events.ts';
import { wrap } from '../../src/store/width.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { type Line, rowFor, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

/** The journal as it is written, one event a line, and all that the one under the cursor holds. */
export const EventsPane = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const { eventsAt, eventsFilter, eventsOpen } = view.ui;
  const room = height - (eventsFilter === '' ? 0 : 1);
  const fields =
    eventsAt !== null && eventsOpen
      ? selectEventFields(view).flatMap(([key, text]) => fieldLines(key, text, width))
      : [];
  // Some of what happened around it stays in sight.
  const told = fields.slice(0, Math.max(1, room - 4));
  const { rows, count, at } = selectEvents(view, room - told.length);
  const lines = rows.flatMap((row): readonly Line[] => {
    const here = row.seq === at;
    const cursor = span(here ? theme.glyphs.cursor : ' ', focused ? 'accent' : 'quiet');
    const line = rowFor({ kind: 'event', seq: row.seq }, [cursor, ...eventLine(row, now)]);
    return here ? [line, ...told] : [line];
  });
  const filtered = ` with "${eventsFilter}": ${count} of ${view.events.length}${withKeys(view, ' · {read.filter} changes it')}`;
  return (
    <Lines
      lines={[
        ...(eventsFilter === '' ? [] : [[span(filtered, 'warn')]]),
        ...(view.events.length === 0 ? [[span(' No event yet.', 'quiet')]] : lines),
      ]}
      width={width}
      height={height}
    />
  );
};

const eventLine = (row: EventRow, now: Moment): Line => [
  span(`${formatClock(row.at, now)} `, 'quiet'),
  span(row.type.padEnd(20)),
  span(` ${row.text}`, 'quiet'),
];

const keyWidth = 12;

const fieldLines = (key: string, text: string, width: number): readonly Line[] =>
  wrap(text, Math.max(10, width - keyWidth - 3)).map(
    (part, index): Line => [
      span(`  ${index === 0 ? key.padEnd(keyWidth) : ' '.repeat(keyWidth)} `, 'quiet'),
      span(part),
    ],
  );
