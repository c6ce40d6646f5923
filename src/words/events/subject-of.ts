import { safe } from '../../base/safe.ts';

/** The task that an invocation works on; `undefined` for one of the whole session, or where it is not known. */
export type TaskOf = (invocation: string) => string | undefined;

/** What the sentence of an event is about: its task, else its invocation. */
export const subjectOf = (
  { task, invocation }: { readonly task?: string | undefined; readonly invocation: string },
  taskOf: TaskOf,
): string => safe(task ?? taskOf(invocation) ?? invocation);
