import type { Event } from '../pipeline/event.ts';
import type { Note } from './outcome-notes.ts';
import { steerWords } from './steer-words.ts';

/** What became of an invocation, as a line of its log. `null` for events that make no line. */
export const invocationNote = (event: Event): Note | null => {
  switch (event.type) {
    case 'finding.noted':
      return { text: event.text, tone: 'plain' };
    case 'steer.decided':
      return { text: `STEER ${steerWords(event)}`, tone: 'steer' };
    case 'invocation.paused':
      return { text: 'paused here', tone: 'plain' };
    case 'invocation.resumed':
      return { text: 'continues', tone: 'plain' };
    case 'invocation.failed':
      return { text: `${event.kind}: ${event.fault.what}`, tone: 'bad' };
    default:
      return null;
  }
};
