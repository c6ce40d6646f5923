import { commandText } from '../../src/agents/command-text.ts';
import { memoise, memoiseLast } from '../../src/base/memoise.ts';
import { safe } from '../../src/base/safe.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { guidanceWords } from '../../src/session/guidance/format-guidance.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { eventSentence } from '../../src/words/events/event-sentence.ts';
import { type EventTone, eventTone } from '../../src/words/events/event-tone.ts';
import { type TaskOf, taskOfIn } from '../../src/words/events/subject-of.ts';
import { count } from '../../src/words/local-time.ts';
import { changeWords } from '../../src/words/turn-words.ts';
import { exitWords, noCommitWords } from '../../src/words/work-words.ts';
import { listTop } from '../draw/window-top.ts';
import { readingOf } from '../reading.ts';
import { stepBy } from '../step.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';

/** One line of the Events tab. */
export interface EventRow {
  readonly seq: number;
  readonly at: string;
  /** What happened, as a sentence; in the raw form the subject and the most telling words. */
  readonly text: string;
  readonly tone: EventTone;
  /** The type of the event, in the raw form and where there is no sentence. */
  readonly type: string | null;
}

/** The events that pass the filter: their type starts with it, or type, sentence and text contain each of its words. */
const shownEvents = (view: ViewState): readonly Event[] => {
  const wanted = readingOf(view.ui, 'events').filter.trim().toLowerCase();
  const all = searchedEvents(view);
  if (wanted === '') return isRaw(view) ? withoutSteps(all) : all;
  const words = wanted.split(/\s+/);
  return all.filter((event) => {
    const text =
      `${event.type} ${sentenceOf(event, taskOfIn(view.events)) ?? ''} ${textOf(event)}`.toLowerCase();
    return event.type.startsWith(wanted) || words.every((word) => text.includes(word));
  });
};

/** The events that a filter narrows: all in the raw form, else those with a sentence. */
const searchedEvents = (view: ViewState): readonly Event[] => (isRaw(view) ? view.events : told(view.events));

const isRaw = (view: ViewState): boolean => readingOf(view.ui, 'events').raw;

/** A sentence stays as it was first told: its task is known then. */
const sentenceOf = memoiseLast(
  () => true,
  (event: Event, taskOf: TaskOf): string | null => eventSentence(event, taskOf),
);

/** The steps of the machine itself have no sentence: they are most of the events, and say the least. */
const told = memoise((events: readonly Event[]): readonly Event[] =>
  events.filter((event) => sentenceOf(event, taskOfIn(events)) !== null),
);

/** Without a filter. */
const withoutSteps = memoise((events: readonly Event[]): readonly Event[] =>
  events.filter(({ type }) => !inner.has(type)),
);

const inner: ReadonlySet<Event['type']> = new Set<Event['type']>(['checkpoint.reached', 'snapshot.written']);

/** The part of the events that the Events tab draws. */
interface EventWindow {
  readonly rows: readonly EventRow[];
  /** The number of events that pass the filter. `top` is the index of the first row among them. */
  readonly count: number;
  /** The number of events that it was applied to. */
  readonly of: number;
  readonly top: number;
  /** The `seq` of the event under the cursor. `null` while the newest is followed. */
  readonly at: number | null;
}

/** The newest `height` events, or those around the cursor, or those the wheel has scrolled to. */
export const selectEvents = (view: ViewState, height: number): EventWindow => {
  const events = shownEvents(view);
  const { at: chosen, top: scrolled } = readingOf(view.ui, 'events');
  const lastTop = Math.max(0, events.length - height);
  const at = indexOf(events, chosen);
  const top =
    chosen === null ? Math.min(scrolled ?? lastTop, lastTop) : listTop(scrolled, events.length, at, height);
  return {
    rows: events.slice(top, top + height).map((event) => rowOf(event, isRaw(view), taskOfIn(view.events))),
    count: events.length,
    of: searchedEvents(view).length,
    top,
    at: chosen === null ? null : (events[at]?.seq ?? null),
  };
};

const rowOf = (event: Event, raw: boolean, taskOf: TaskOf): EventRow => {
  const sentence = raw ? null : sentenceOf(event, taskOf);
  const { seq, at } = event;
  return sentence === null
    ? { seq, at, text: textOf(event), tone: 'secondary', type: event.type }
    : { seq, at, text: sentence, tone: eventTone(event), type: null };
};

/** The target of a cursor move. `null` follows the newest again, after the `last` move or a move below the last event. */
export const selectNextEvent = (view: ViewState, by: Move, page: number): number | null => {
  const events = shownEvents(view);
  const from = indexOf(events, readingOf(view.ui, 'events').at);
  const to = stepBy(from, by, events.length, page);
  const below = to === from && to === events.length - 1 && by !== 'first';
  return by === 'last' || below ? null : (events[to]?.seq ?? null);
};

/** The event under the cursor, or the newest. */
export const selectEvent = (view: ViewState): Event | null => {
  const events = shownEvents(view);
  return events[indexOf(events, readingOf(view.ui, 'events').at)] ?? null;
};

/** When an event has left the ring or the filter, the cursor is on the one before it. */
const indexOf = (events: readonly Event[], chosen: string | null): number =>
  chosen === null
    ? events.length - 1
    : Math.max(
        0,
        events.findLastIndex((event) => event.seq <= Number(chosen)),
      );

/** All fields of an event, one a line. Values other than strings are shown as JSON. */
export const selectEventFields = (view: ViewState): readonly (readonly [key: string, text: string])[] => {
  const event = selectEvent(view);
  return Object.entries(event ?? {})
    .filter(([key]) => key !== 'type')
    .map(([key, value]) => [key, safe(typeof value === 'string' ? value : JSON.stringify(value))]);
};

/** Fields shown as they are, most telling first, because lines are cut at the end. */
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
  'sentence',
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

/** An event's subject when it is no plain field: a signal, a command, a fault, files. */
const subjects = (event: Event): readonly string[] => {
  switch (event.type) {
    case 'signal.pending':
      return [signalWords(event.pending.signal)];
    case 'signal.claimed':
    case 'signal.handled':
    case 'signal.undelivered':
    case 'signal.withdrawn':
      return [signalWords(event.signal)];
    case 'command.started':
      return [`$ ${safe(commandText(event.command))}`];
    case 'command.ended':
      return [exitWords(event.exit)];
    case 'task.qualified':
      return [noCommitWords(event)].filter((part) => part !== '');
    case 'problem.found':
    case 'invocation.failed':
      return [event.fault.what, event.fault.hint ?? '', event.fault.where ?? ''].filter(
        (part) => part !== '',
      );
    case 'knowledge.staged':
      return [
        count(event.files.length, 'file'),
        ...(event.carried.length > 0 ? [`${event.carried.length} carried`] : []),
      ];
    case 'knowledge.promoted':
      return [count(event.files.length, 'file')];
    case 'turn.observed':
      return [`turn ${event.turn}`, changeWords(event)];
    case 'turn.decided':
      return [`turn ${event.turn}`];
    case 'gate.opened':
      return event.files.length > 0 ? [count(event.files.length, 'file')] : [];
    case 'tasks.defined':
    case 'wave.chosen':
      return [count(event.tasks.length, 'task')];
    case 'settings.changed':
      return Object.entries(event.set).map(([key, value]) => `${key} = ${String(value)}`);
    case 'guidance.changed':
      return [guidanceWords(event.guidance)];
    default:
      return [];
  }
};

const signalWords = ({ type, task, target }: Signal): string => `${type} ${task ?? target}`;
