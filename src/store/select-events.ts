import { safe } from '../base/safe.ts';
import type { Event } from '../pipeline/event.ts';
import type { Signal } from '../signals/signal.ts';
import { count } from './moment.ts';
import { commandText } from './output-book.ts';
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
  'exit',
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
