import { assertNever } from '../../base/assert-never.ts';
import { safe } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';
import { signalsEvents } from '../../pipeline/events/signals.ts';
import type { Signal } from '../../signals/signal.ts';
import { unprovenQuestion } from '../unproven.ts';
import { truncateMiddle } from '../width.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';

/** Whether the event is a step in the life of a signal. */
export const isSignalEvent = ofSubject(signalsEvents);

type SignalEvent = SubjectOf<typeof signalsEvents>;

/** The signal that an event is a step of; `null` for any other event, and for a file that was refused before it had an id. */
export const signalIdOf = (event: Event): string | null => {
  if (!isSignalEvent(event)) return null;
  return event.type === 'signal.pending' ? event.pending.id : event.id;
};

/** The sentence for one step of a signal: sent, claimed, archived and so on. */
export const formatSignalEvent = (event: SignalEvent): string => {
  switch (event.type) {
    case 'signal.pending':
      return event.unproven
        ? `${unprovenQuestion(event.pending.signal)} Then: ralph-tui signals confirm ${event.pending.id.slice(0, 8)}`
        : `${describe(event.pending.signal)} pending: ${safe(event.waits_for)}`;
    case 'signal.claimed':
      return `${describe(event.signal)} claimed by ${safe(event.by)} at ${event.checkpoint}`;
    case 'signal.delivered':
      return `signal ${event.id.slice(0, 8)} delivered to ${safe(event.recipient)} (${event.how})`;
    case 'signal.queued':
      return `signal ${event.id.slice(0, 8)} queued: ${safe(event.reason)}`;
    case 'signal.handled':
      return `${describe(event.signal)} ${event.answered === false ? 'delivered to' : 'handled by'} ${safe(event.handled_by)}: ${safe(event.action_taken)}`;
    case 'signal.rejected':
      return `signal ${nameOf(event.file)} rejected: ${safe(event.reason)}`;
    case 'signal.undelivered':
      return `${describe(event.signal)} undelivered: ${safe(event.reason)}`;
    case 'signal.withdrawn':
      return `${describe(event.signal)} withdrawn by ${safe(event.by)}`;
    case 'steer.decided':
      return `STEER ${event.verdict}: ${safe(event.action)} (${safe(event.evidence)})`;
    default:
      return assertNever(event);
  }
};

/** Cells of a file's name in a sentence: a longer one would push the reason off the line. */
const longestName = 48;

const nameOf = (file: string): string => truncateMiddle(safe(file), longestName, '…');

const describe = (signal: Signal): string =>
  `${signal.type}${signal.worker ? ` ${safe(signal.worker)}` : ''}${signal.task ? ` ${safe(signal.task)}` : ''}${signal.message ? ` "${safe(signal.message)}"` : ''}`;
