import type { Redact } from '../../base/redact.ts';
import type { Event, EventOf } from '../../pipeline/event.ts';
import { type CleanEvents, eventsWithoutSecrets } from '../events-without-secrets.ts';
import type { Tally } from './tally.ts';

/** A session's events without secrets, also without those that come in pieces. What is left out is counted. */
export const cleanEvents = (tally: Tally, events: readonly Event[]): CleanEvents =>
  eventsWithoutSecrets(tally.redact, joined(tally.redact, events), tally.leaveOut);

/** An agent's words come in pieces, which the screen shows as one text: where only the whole shows a secret, the first piece gets it clean. */
const joined = (redact: Redact, events: readonly Event[]): readonly Event[] => {
  const texts = new Map<Event, string>();
  const open = new Map<string, EventOf<'output.written'>[]>();
  const close = (invocation: string): void => {
    const pieces = open.get(invocation) ?? [];
    open.delete(invocation);
    const [first, ...rest] = pieces;
    if (first === undefined || rest.length === 0) return;
    const whole = redact(pieces.map(({ text }) => text).join(''));
    if (whole === pieces.map(({ text }) => redact(text)).join('')) return;
    texts.set(first, whole);
    for (const piece of rest) texts.set(piece, '');
  };
  for (const event of events) {
    if (event.type === 'output.written')
      open.set(event.invocation, [...(open.get(event.invocation) ?? []), event]);
    else if (event.type === 'invocation.ended' || event.type === 'command.started') close(event.invocation);
  }
  for (const invocation of [...open.keys()]) close(invocation);
  if (texts.size === 0) return events;
  return events.map((event) => {
    const text = texts.get(event);
    return text === undefined || event.type !== 'output.written' ? event : { ...event, text };
  });
};
