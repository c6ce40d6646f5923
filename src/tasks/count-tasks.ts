import { isDoneByHand } from './by-hand.ts';
import { replacedTasks } from './graph.ts';
import type { TaskDefinition, TaskId, TaskStatus } from './task.ts';

interface CountedTask {
  readonly definition: TaskDefinition;
  readonly status: TaskStatus;
  readonly reason: string | null;
}

/** How many tasks there are, and how they stand. A task that was split or replaced counts in those that took it over. */
export interface TaskCounts {
  readonly total: number;
  readonly completed: number;
  /** How many of the completed ones a person marked. */
  readonly byHand: number;
  readonly failed: number;
  readonly pending: number;
  readonly cancelled: number;
}

export const countTasks = (tasks: ReadonlyMap<TaskId, CountedTask>): TaskCounts => {
  const replaced = replacedTasks(Array.from(tasks.values(), ({ definition }) => definition));
  const counts = { total: 0, completed: 0, byHand: 0, failed: 0, pending: 0, cancelled: 0 };
  for (const task of tasks.values()) {
    if (replaced.has(task.definition.id)) continue;
    counts.total += 1;
    if (task.status === 'done') counts.completed += 1;
    else if (task.status === 'failed' || task.status === 'cancelled') counts[task.status] += 1;
    else counts.pending += 1;
    if (isDoneByHand(task)) counts.byHand += 1;
  }
  return counts;
};
