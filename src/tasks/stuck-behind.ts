import type { Graph, Standing, Unreachable } from './graph.ts';
import type { TaskId } from './task.ts';

/**
 * The tasks that must be reopened before unreachable ones can start: their ancestors at any distance that failed permanently or were
 * cancelled, the nearest first. Empty where no retry helps: in a cycle, or behind an unknown id.
 */
export const stuckBehind = (
  graph: Graph,
  { settled }: Pick<Standing, 'settled'>,
  tasks: ReadonlyMap<TaskId, { readonly status: string }>,
  unreachable: readonly TaskId[],
): readonly TaskId[] => {
  const found = new Set<TaskId>();
  const seen = new Set(unreachable);
  const todo = [...unreachable];
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

/** "broken failed", "left failed and right was cancelled": the reason why a task cannot start. */
export const stuckWords = (
  tasks: ReadonlyMap<TaskId, { readonly status: string }>,
  ids: readonly TaskId[],
): string =>
  ids
    .map((id) => `${id} ${tasks.get(id)?.status === 'cancelled' ? 'was cancelled' : 'failed'}`)
    .join(' and ');

/** "blocked by broken, failed", "in a cycle: one → two → one". */
export const unreachableReason = ({ blocker, why }: Unreachable): string =>
  blocker === null ? why : `blocked by ${blocker}, ${why}`;
