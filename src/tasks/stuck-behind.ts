import type { Graph, Standing } from './graph.ts';
import type { TaskId, TaskStatus } from './task.ts';

/**
 * The tasks that have to be opened again before an unreachable one can start: those before it, at any distance, that failed for good or were
 * cancelled, the nearest first. Empty where no retry helps: in a cycle, or behind an id that no task has.
 */
export const stuckBehind = (
  graph: Graph,
  { settled }: Pick<Standing, 'settled'>,
  tasks: ReadonlyMap<TaskId, { readonly status: TaskStatus }>,
  id: TaskId,
): readonly TaskId[] => {
  const found = new Set<TaskId>();
  const seen = new Set<TaskId>([id]);
  const todo = [id];
  for (let at = 0; at < todo.length; at += 1)
    for (const blocker of graph.blockersOf.get(todo[at] ?? '') ?? []) {
      const status = tasks.get(blocker)?.status ?? 'open';
      if (seen.has(blocker) || status === 'done') continue;
      seen.add(blocker);
      todo.push(blocker);
      if ((status === 'failed' || status === 'cancelled') && settled.has(blocker)) found.add(blocker);
    }
  return [...found];
};

/** "broken failed", "left failed and right was cancelled": why something cannot start. */
export const stuckWords = (
  tasks: ReadonlyMap<TaskId, { readonly status: TaskStatus }>,
  ids: readonly TaskId[],
): string =>
  ids
    .map((id) => `${id} ${tasks.get(id)?.status === 'cancelled' ? 'was cancelled' : 'failed'}`)
    .join(' and ');
