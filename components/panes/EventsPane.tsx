import { withKeys } from '../../src/keymap/table.ts';
import { formatClock, type Moment } from '../../src/store/moment.ts';
import { type EventRow, selectEventCount, selectEventRows } from '../../src/store/select-events.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { type Line, span } from '../parts/span.ts';

/** The journal as it is written, one event a line. */
export const EventsPane = ({ view, now, width, height }: PaneProps) => {
  const { eventsFilter } = view.ui;
  const filtered: readonly Line[] =
    eventsFilter === ''
      ? []
      : [
          [
            span(
              ` with "${eventsFilter}": ${selectEventCount(view)} of ${view.events.length}${withKeys(view, ' · {read.filter} changes it')}`,
              'warn',
            ),
          ],
        ];
  const rows = selectEventRows(view, height - filtered.length);
  const lines = [...filtered, ...rows.map((row) => eventLine(row, now))];
  return (
    <Lines
      lines={lines.length === 0 ? [[span(' No event yet.', 'quiet')]] : lines}
      width={width}
      height={height}
    />
  );
};

const eventLine = (row: EventRow, now: Moment): Line => [
  span(` ${formatClock(row.at, now)} `, 'quiet'),
  span(row.type.padEnd(20)),
  span(` ${row.text}`, 'quiet'),
];
