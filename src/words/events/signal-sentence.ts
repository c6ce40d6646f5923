import { assertNever } from '../../base/assert-never.ts';
import { safe } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';
import { signalsEvents } from '../../pipeline/events/signals.ts';
import { answeredAction } from '../../signals/check-answer.ts';
import { isMessage } from '../../signals/kinds.ts';
import { takenNow } from '../../signals/routing.ts';
import type { Signal } from '../../signals/signal.ts';
import { handledWords, readerOf, wayWords } from '../signal-steps.ts';
import { steerWords } from '../steer-words.ts';
import { unprovenQuestion } from '../unproven.ts';
import { truncateMiddle } from '../width.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';
import type { TaskOf } from './subject-of.ts';

/** Whether the event is a step in the life of a signal. */
export const isSignalEvent = ofSubject(signalsEvents);

type SignalEvent = SubjectOf<typeof signalsEvents>;

/** The signal that an event is a step of; `null` for any other event, and for a file that was refused before it had an id. */
export const signalIdOf = (event: Event): string | null => {
  if (!isSignalEvent(event)) return null;
  return event.type === 'signal.pending' ? event.pending.id : event.id;
};

/** The sentence for one step of a signal; `null` for its claim and for an order that reached the engine, which are steps of the machine. */
export const formatSignalEvent = (event: SignalEvent, taskOf: TaskOf): string | null => {
  switch (event.type) {
    case 'signal.pending':
      return event.unproven
        ? `${unprovenQuestion(event.pending.signal)} If so: ralph-tui signals confirm ${event.pending.id.slice(0, 8)}`
        : event.waits_for === takenNow
          ? null
          : `${describe(event.pending.signal)} ${signalStep(event, taskOf)}`;
    case 'signal.claimed':
      return null;
    case 'signal.delivered': {
      const { message } = event;
      return message === undefined
        ? null
        : `${message.kind} "${safe(message.text)}" ${signalStep(event, taskOf)}`;
    }
    case 'signal.queued':
      return `a signal is ${signalStep(event, taskOf)}`;
    case 'signal.rejected':
      return `signal ${nameOf(event.file)} ${signalStep(event, taskOf)}`;
    case 'steer.decided':
      return signalStep(event, taskOf);
    case 'signal.handled':
      // The answer is an event of its own.
      if (event.signal.type === 'ANSWER' && event.action_taken === answeredAction) return null;
      return `${describe(event.signal)}${isMessage(event.signal.type) ? '' : ':'} ${signalStep(event, taskOf)}`;
    case 'signal.undelivered':
    case 'signal.withdrawn':
      return `${describe(event.signal)} ${signalStep(event, taskOf)}`;
    default:
      return assertNever(event);
  }
};

/** One step in the life of a signal, without the signal: "read by the agent on english". */
export const signalStep = (event: SignalEvent, taskOf: TaskOf): string => {
  switch (event.type) {
    case 'signal.pending':
      return safe(event.waits_for);
    case 'signal.claimed':
      return `taken by ${readerOf(event.by, taskOf, event.signal.task)}`;
    case 'signal.delivered':
      return `reached ${readerOf(event.recipient, taskOf)}${wayWords(event.how)}`;
    case 'signal.queued':
      return `queued: ${safe(event.reason)}`;
    case 'steer.decided':
      return `${readerOf(event.invocation, taskOf, event.task)} ${steerWords(event)}`;
    case 'signal.handled': {
      const { handled_by: by, action_taken: action, invocation } = event;
      const unanswered = event.answered === false;
      return handledWords(event.signal, { by: invocation ?? by, action, unanswered }, taskOf);
    }
    case 'signal.rejected':
      return `rejected: ${safe(event.reason)}`;
    case 'signal.undelivered':
      return `not delivered: ${safe(event.reason)}`;
    case 'signal.withdrawn':
      return `withdrawn by ${safe(event.by)}`;
    default:
      return assertNever(event);
  }
};

/** Cells of a file's name in a sentence: a longer one would push the reason off the line. */
const longestName = 48;

const nameOf = (file: string): string => truncateMiddle(safe(file), longestName, '…');

const describe = (signal: Signal): string =>
  `${signal.type}${signal.worker ? ` ${safe(signal.worker)}` : ''}${signal.task ? ` ${safe(signal.task)}` : ''}${signal.message ? ` "${safe(signal.message)}"` : ''}`;
