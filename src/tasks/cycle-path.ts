import type { TaskId } from './task.ts';

/**
 * One shortest path from the first member back to itself along `blockedBy`: `[a, b]` means that a waits for b and b for a. Several cycles may share
 * members; removing any edge of this one breaks it.
 */
export const cyclePath = (
  members: readonly TaskId[],
  blockersOf: ReadonlyMap<TaskId, readonly TaskId[]>,
): readonly TaskId[] => {
  const [start] = members;
  if (start === undefined) return [];
  const inside = new Set(members);
  const cameFrom = new Map<TaskId, TaskId>();
  const queue: TaskId[] = [start];
  for (const id of queue)
    for (const blocker of blockersOf.get(id) ?? []) {
      if (blocker === start) return wayTo(id, cameFrom);
      if (!inside.has(blocker) || cameFrom.has(blocker)) continue;
      cameFrom.set(blocker, id);
      queue.push(blocker);
    }
  return members;
};

const wayTo = (end: TaskId, cameFrom: ReadonlyMap<TaskId, TaskId>): readonly TaskId[] => {
  const way: TaskId[] = [];
  for (let id: TaskId | undefined = end; id !== undefined; id = cameFrom.get(id)) way.push(id);
  return way.reverse();
};

const mostShown = 8;

/** "a → b → a": each task waits for the next one. A long cycle shows only its first tasks and the last. */
export const cycleText = (path: readonly TaskId[]): string => {
  const left = path.length - mostShown;
  const shown = left > 1 ? [...path.slice(0, mostShown - 1), `${left} more`, ...path.slice(-1)] : path;
  return [...shown, ...path.slice(0, 1)].join(' → ');
};
