import { memoise } from '../../base/memoise.ts';
import { safe } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';

/** The task that an invocation works on; `undefined` for one of the whole session, or where it is not known. */
export type TaskOf = (invocation: string) => string | undefined;

/** What the sentence of an event is about: its task, else its invocation. */
export const subjectOf = (
  { task, invocation }: { readonly task?: string | undefined; readonly invocation: string },
  taskOf: TaskOf,
): string => safe(task ?? taskOf(invocation) ?? invocation);

/** The tasks of the invocations among the events. */
export const taskOfIn = memoise((events: readonly Event[]): TaskOf => {
  const tasks = new Map(
    events.flatMap((event): readonly (readonly [string, string])[] =>
      event.type === 'invocation.started' && event.task !== undefined ? [[event.invocation, event.task]] : [],
    ),
  );
  return (invocation) => tasks.get(invocation);
});
