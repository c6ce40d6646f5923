import { type Redact, redactDeep } from '../base/redact.ts';
import { type Event, eventBodySchema } from '../pipeline/event.ts';

/** Events without secrets, and the names of their tasks in them. */
export interface CleanEvents {
  readonly events: readonly Event[];
  readonly nameOf: (task: string) => string;
}

/**
 * Redacts every text of events that no engine of ours cleaned for this reader. The id of a task that is a secret becomes a name, since `[redacted]`
 * is no valid id. An event that redaction makes invalid for any other reason is left out, and counted by `leaveOut`: it would keep all its secrets.
 */
export const eventsWithoutSecrets = (
  redact: Redact,
  events: readonly Event[],
  leaveOut: () => void = () => {},
): CleanEvents => {
  const names = namesOfTasks(redact, events);
  const named: Redact = (text) => names.get(text) ?? text;
  const clean = events.flatMap((event): readonly Event[] => {
    const own = names.size === 0 ? event : redactDeep(named, event);
    const cleaned = redactDeep(redact, own);
    if (cleaned === event) return [event];
    const body = eventBodySchema().safeParse(cleaned).data;
    if (body !== undefined) return [{ ...body, seq: event.seq, at: redact(event.at) }];
    leaveOut();
    return [];
  });
  return { events: clean, nameOf: (task) => redact(named(task)) };
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
