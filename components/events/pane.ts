import { safeBlock } from '../../src/base/safe.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { pageOf } from '../draw/page.ts';
import { eventsPrinted } from '../in-lines.ts';
import { rowsOfText } from '../output/reduce-log.ts';
import { nothingToCopy } from '../pane/copyable.ts';
import { type Pane, plainPane } from '../pane/pane.ts';
import { type Reading, readingOf } from '../reading.ts';
import { stepBy } from '../step.ts';
import type { Move, UiAction } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withReading } from '../with-reading.ts';
import { selectEvent, selectEvents, selectNextEvent } from './select-events.ts';

/** Events copied at once: enough for a person to read, not a whole journal. */
const copiedEvents = 200;

const reads = (change: Partial<Reading>): UiAction => ({ type: 'read', pane: 'events', change });

const wheel = (view: ViewState, by: Move): ViewState => {
  const rows = rowsOfText(view);
  const { count, top } = selectEvents(view, rows);
  const lastTop = Math.max(0, count - rows);
  const to = Math.min(lastTop, stepBy(top, by, count, 1));
  const follows = to === lastTop && readingOf(view.ui, 'events').at === null;
  return withReading(view, 'events', { top: follows ? null : to });
};

const filtered = (view: ViewState, filter: string): ViewState =>
  withReading(view, 'events', { filter, at: null, top: null });

/** The events of the journal. */
export const eventsPane = {
  ...plainPane,
  name: 'events',
  title: 'Events',
  short: 'Evt',
  inLines: eventsPrinted,
  keys: ['look.open', 'read.filter', 'read.raw', 'look.copy-text'],
  kind: 'tab',
  empty: (view) => (view.events.length === 0 ? 'No event yet.' : null),
  copy: (view) => {
    const { session } = view;
    if (session === null) return nothingToCopy;
    const chosen = readingOf(view.ui, 'events').at;
    const text =
      chosen === null
        ? selectEvents(view, copiedEvents)
            .rows.map(({ at, type, text }) => `${at} ${type === null ? '' : `${type} `}${text}`.trimEnd())
            .join('\n')
        : safeBlock(JSON.stringify(selectEvent(view)));
    return { text, path: sessionPaths(session.workspace, session.session).journal };
  },
  move: (view, by) => {
    if (by === 'wheel-up' || by === 'wheel-down') return wheel(view, by);
    const at = selectNextEvent(view, by, pageOf(view.ui.size.rows));
    return withReading(view, 'events', { at: at === null ? null : String(at), top: null });
  },
  open: (view) => {
    const event = selectEvent(view);
    if (event === null) return 'Nothing is chosen here';
    const { at, open } = readingOf(view.ui, 'events');
    const seq = String(event.seq);
    return [reads({ at: seq, open: !(open && at === seq), top: null })];
  },
  back: (view) => {
    const { at, open, filter } = readingOf(view.ui, 'events');
    if (open && at !== null) return reads({ open: false, top: null });
    if (filter !== '') return { type: 'filtered', pane: 'events', text: '' };
    return at === null ? null : reads({ at: null, top: null });
  },
  filter: {
    label: 'Show events with',
    text: (view) => readingOf(view.ui, 'events').filter,
    set: filtered,
    found: () => '',
  },
} as const satisfies Pane<'events'>;
