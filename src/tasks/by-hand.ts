import type { TaskStatus } from './task.ts';

/** The reason of a task whose status a person wrote into `progress.md`. */
export const editedByHand = 'edited by hand';

/** Whether a person marked the task as done: no attempt of it was qualified. */
export const isDoneByHand = (task: {
  readonly status: TaskStatus;
  readonly reason: string | null;
}): boolean => task.status === 'done' && task.reason === editedByHand;
