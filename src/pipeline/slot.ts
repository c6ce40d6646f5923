import type { Mode } from '../agents/port.ts';
import type { TaskId } from '../tasks/task.ts';

/**
 * What an invocation is for, whoever performs it and however often: the key of retries, of turns without result and of the question that
 * follows them. `IMPLEMENT:task-3`, `TASK_REVIEW:task-3`, `research`.
 */
export const slotOf = (mode: Mode, task: TaskId | null): string => (task === null ? mode : `${mode}:${task}`);

/** The request of the question that two turns without result ask. */
export const requestOf = (slot: string): string => `no-result:${slot}`;

/** The slot a request asks about, or null when it is another kind of question. */
export const slotOfRequest = (request: string): string | null =>
  request.startsWith('no-result:') ? request.slice('no-result:'.length) : null;

/** Every key a task can stand under. */
export const slotsOfTask = (task: TaskId): readonly string[] => [
  slotOf('IMPLEMENT', task),
  slotOf('TASK_REVIEW', task),
  slotOf('REBREAKDOWN_TASK', task),
];
