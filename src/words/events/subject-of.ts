import { memoise } from '../../base/memoise.ts';
import { safe } from '../../base/safe.ts';
import type { Event } from '../../pipeline/event.ts';

/** The task that an invocation works on, or that a question is about, by its id; `undefined` for one of the whole session, or where it is not known. */
export type TaskOf = (id: string) => string | undefined;

/** What the sentence of an event is about: its task, else its invocation. */
export const subjectOf = (
  { task, invocation }: { readonly task?: string | undefined; readonly invocation: string },
  taskOf: TaskOf,
): string => safe(task ?? taskOf(invocation) ?? invocation);

/** The tasks of the invocations among the events. */
export const taskOfIn = memoise((events: readonly Event[]): TaskOf => {
  const tasks = createTasks();
  for (const event of events) tasks.take(event);
  return tasks.of;
});

/** The tasks of invocations and questions, told event by event. */
export const createTasks = (): { readonly take: (event: Event) => void; readonly of: TaskOf } => {
  const tasks = new Map<string, string>();
  return {
    take: (event) => {
      if (event.type === 'invocation.started' && event.task !== undefined)
        tasks.set(event.invocation, event.task);
      if (event.type !== 'question.asked') return;
      const task = event.task ?? (event.invocation === null ? undefined : tasks.get(event.invocation));
      if (task !== undefined) tasks.set(event.request, task);
    },
    of: (id) => tasks.get(id),
  };
};
