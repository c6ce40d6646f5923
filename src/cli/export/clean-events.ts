import { type Redact, redactDeep } from '../../base/redact.ts';
import { type Event, type EventOf, eventBodySchema } from '../../pipeline/event.ts';
import type { Tally } from './tally.ts';

/** A session's events without secrets, and the names of its tasks in them. */
interface CleanEvents {
  readonly events: readonly Event[];
  readonly nameOf: (task: string) => string;
}

/**
 * Redacts every text. The id of a task that is a secret becomes a name, since `[redacted]` is no valid id. An event that redaction makes
 * invalid for any other reason is left out: it would keep all its secrets.
 */
export const cleanEvents = (tally: Tally, events: readonly Event[]): CleanEvents => {
  const names = namesOfTasks(tally.redact, events);
  const named: Redact = (text) => names.get(text) ?? text;
  const clean = joined(tally.redact, events).flatMap((event): readonly Event[] => {
    const own = names.size === 0 ? event : redactDeep(named, event);
    const cleaned = redactDeep(tally.redact, own);
    if (cleaned === event) return [event];
    const body = eventBodySchema.safeParse(cleaned).data;
    if (body !== undefined) return [{ ...body, seq: event.seq, at: event.at }];
    tally.leaveOut();
    return [];
  });
  return { events: clean, nameOf: (task) => tally.redact(named(task)) };
};

/** Names for the ids of tasks that hold a secret. */
const namesOfTasks = (redact: Redact, events: readonly Event[]): ReadonlyMap<string, string> => {
  const ids = new Set(
    events.flatMap((event) =>
      event.type === 'tasks.defined' || event.type === 'iteration.started'
        ? event.tasks.map(({ id }) => id)
        : 'task' in event && typeof event.task === 'string'
          ? [event.task]
          : [],
    ),
  );
  const names = new Map<string, string>();
  let number = 0;
  for (const id of ids) {
    if (redact(id) === id) continue;
    do number += 1;
    while (ids.has(`redacted-${number}`));
    names.set(id, `redacted-${number}`);
  }
  return names;
};

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
