import { safe } from '../base/safe.ts';
import type { Event } from '../pipeline/event.ts';
import type { ViewState } from './view.ts';

/** One line of the Events tab. */
export interface EventRow {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  /** The subject and the first telling words, whatever the type. */
  readonly text: string;
}

/** The events that pass the filter: a type starts with what was typed, or every word of it is in type or text. */
const shownEvents = (view: ViewState): readonly Event[] => {
  const wanted = view.ui.eventsFilter.trim().toLowerCase();
  if (wanted === '') return view.events;
  const words = wanted.split(/\s+/);
  return view.events.filter((event) => {
    const text = `${event.type} ${textOf(event)}`.toLowerCase();
    return event.type.startsWith(wanted) || words.every((word) => text.includes(word));
  });
};

export const selectEventCount = (view: ViewState): number => shownEvents(view).length;

/** The rows to draw: the newest `height`, or those from `eventsTop` on. */
export const selectEventRows = (view: ViewState, height: number): readonly EventRow[] => {
  const events = shownEvents(view);
  const lastTop = Math.max(0, events.length - height);
  const top = Math.min(view.ui.eventsTop ?? lastTop, lastTop);
  return events.slice(top, top + height).map((event) => ({
    seq: event.seq,
    at: event.at,
    type: event.type,
    text: textOf(event),
  }));
};

const shown: readonly string[] = [
  'task',
  'state',
  'invocation',
  'agent',
  'checkpoint',
  'by',
  'reason',
  'exit',
  'verdict',
  'action',
  'action_taken',
  'decision',
  'waits_for',
  'file',
  'text',
];

const textOf = (event: Event): string =>
  safe(
    Object.entries(event)
      .filter(([key, value]) => shown.includes(key) && typeof value === 'string' && value !== '')
      .map(([, value]) => String(value))
      .join(' · '),
  );
