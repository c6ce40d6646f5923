import type { TaskId } from '../../tasks/task.ts';

/** How long the work and the check of a task took the last time that they ended, in milliseconds; `null` before that. */
export interface TaskTimes {
  readonly workedMs: number | null;
  readonly checkedMs: number | null;
}

/** What earlier sessions of the workspace say about the time and the cost of a task. */
export interface Earlier {
  /** The last time of each task, with its title: another plan may use its id for something else. */
  readonly tasks: Readonly<Record<TaskId, { readonly title: string; readonly ms: number }>>;
  /** Means over all their tasks, and how many there were; `null` for none. */
  readonly usual: UsualTask | null;
}

interface UsualTask {
  readonly tasks: number;
  readonly ms: number;
  /** Of the whole session for each task that was done; `null` where no agent reported a cost. */
  readonly cost: { readonly amount: number; readonly currency: string } | null;
}

export const nothingEarlier: Earlier = { tasks: {}, usual: null };
