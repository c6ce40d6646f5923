import { safe } from '../base/safe.ts';
import type { Event } from '../pipeline/event.ts';
import type { Signal } from '../signals/signal.ts';
import { count } from './moment.ts';
import { commandText } from './output-book.ts';
import { stepBy } from './step.ts';
import type { Move } from './ui-action.ts';
import type { ViewState } from './view.ts';
import { listTop } from './window-top.ts';
import { exitWords, noCommitWords } from './work-words.ts';

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

/** What the Events tab draws. */
export interface EventWindow {
  readonly rows: readonly EventRow[];
  /** How many events pass the filter, and which of them is the first row. */
  readonly count: number;
  readonly top: number;
  /** The event under the cursor, by its number; `null` while the newest is followed. */
  readonly at: number | null;
}

/** The newest `height` events, or those around the cursor, or from where the wheel has scrolled. */
export const selectEvents = (view: ViewState, height: number): EventWindow => {
  const events = shownEvents(view);
  const { eventsAt, eventsTop } = view.ui;
  const lastTop = Math.max(0, events.length - height);
  const at = indexOf(events, eventsAt);
  const top =
    eventsAt === null
      ? Math.min(eventsTop ?? lastTop, lastTop)
      : listTop(eventsTop, events.length, at, height);
  return {
    rows: events.slice(top, top + height).map(rowOf),
    count: events.length,
    top,
    at: eventsAt === null ? null : (events[at]?.seq ?? null),
  };
};

const rowOf = (event: Event): EventRow => ({
  seq: event.seq,
  at: event.at,
  type: event.type,
  text: textOf(event),
});

/** Where a move of the cursor leads; `null` follows the newest again: by the key for it, or below the last. */
export const selectNextEvent = (view: ViewState, by: Move, page: number): number | null => {
  const events = shownEvents(view);
  const from = indexOf(events, view.ui.eventsAt);
  const to = stepBy(from, by, events.length, page);
  const below = to === from && to === events.length - 1 && by !== 'first';
  return by === 'last' || below ? null : (events[to]?.seq ?? null);
};

/** The event under the cursor, or the newest. */
export const selectEvent = (view: ViewState): Event | null => {
  const events = shownEvents(view);
  return events[indexOf(events, view.ui.eventsAt)] ?? null;
};

/** An event that is gone from the ring, or does not pass the filter any more, leaves the cursor on the one before it. */
const indexOf = (events: readonly Event[], seq: number | null): number =>
  seq === null
    ? events.length - 1
    : Math.max(
        0,
        events.findLastIndex((event) => event.seq <= seq),
      );

/** All that an event holds, a field a line; what is no plain word as JSON. */
export const selectEventFields = (view: ViewState): readonly (readonly [key: string, text: string])[] => {
  const event = selectEvent(view);
  return Object.entries(event ?? {})
    .filter(([key]) => key !== 'type')
    .map(([key, value]) => [key, safe(typeof value === 'string' ? value : JSON.stringify(value))]);
};

/** Fields that are words of their own, the most telling first: lines are cut at the end. */
const shown: readonly string[] = [
  'task',
  'state',
  'gate',
  'item',
  'mark',
  'role',
  'mode',
  'invocation',
  'agent',
  'recipient',
  'checkpoint',
  'by',
  'kind',
  'assessment',
  'reason',
  'verdict',
  'action',
  'action_taken',
  'decision',
  'waits_for',
  'file',
  'text',
  'answer',
  'message',
];

const textOf = (event: Event): string => {
  const fields = new Map<string, unknown>(Object.entries(event));
  const told = shown
    .map((key) => fields.get(key))
    .filter((value) => typeof value === 'string' && value !== '');
  return safe([...subjects(event), ...told].join(' · '));
};

/** What an event is about and does not hold as a plain word: a signal, a command, a fault, files. */
const subjects = (event: Event): readonly string[] => {
  switch (event.type) {
    case 'signal.pending':
      return [signalWords(event.letter.signal)];
    case 'signal.claimed':
    case 'signal.handled':
    case 'signal.undelivered':
    case 'signal.withdrawn':
      return [signalWords(event.signal)];
    case 'command.started':
      return [`$ ${commandText(event.command)}`];
    case 'command.ended':
      return [exitWords(event.exit)];
    case 'task.qualified':
      return [noCommitWords(event)].filter((part) => part !== '');
    case 'problem.found':
    case 'invocation.failed':
      return [event.fault.what, event.fault.mend ?? '', event.fault.where ?? ''].filter(
        (part) => part !== '',
      );
    case 'knowledge.staged':
      return [
        count(event.files.length, 'file'),
        ...(event.carried.length > 0 ? [`${event.carried.length} carried`] : []),
      ];
    case 'knowledge.promoted':
      return [count(event.files.length, 'file')];
    case 'gate.opened':
      return event.files.length > 0 ? [count(event.files.length, 'file')] : [];
    case 'tasks.defined':
    case 'wave.chosen':
      return [count(event.tasks.length, 'task')];
    case 'settings.changed':
      return Object.entries(event.set).map(([key, value]) => `${key} = ${String(value)}`);
    default:
      return [];
  }
};

const signalWords = ({ type, task, target }: Signal): string => `${type} ${task ?? target}`;
