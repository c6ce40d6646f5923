import type { TaskId } from '../../tasks/task.ts';

/** How long the work and the check of a task took the last time that they ended, in milliseconds; `null` before that. */
export interface TaskTimes {
  readonly workedMs: number | null;
  readonly checkedMs: number | null;
}

/** The works and the checks that ended in this session, and how long they took together. */
export interface EndedTimes {
  readonly works: { readonly count: number; readonly ms: number };
  readonly checks: { readonly count: number; readonly ms: number };
}

export const nothingEnded: EndedTimes = { works: { count: 0, ms: 0 }, checks: { count: 0, ms: 0 } };

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
