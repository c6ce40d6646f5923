import { memoiseLast } from '../../base/memoise.ts';
import type { Graph } from '../../tasks/graph.ts';
import type { TaskDefinition, TaskId } from '../../tasks/task.ts';
import type { SessionState, TaskState } from '../state.ts';
import { graphOf } from '../waves.ts';

/** The longest chain of tasks that waits for each task, without the task itself. Ignores edges inside a cycle. The definitions belong to the graph. */
const chainsBehind = memoiseLast(
  () => true,
  ({ waves, blockersOf, waveOf }: Graph, tasks: SessionState['tasks']): ReadonlyMap<TaskId, number> => {
    const behind = new Map<TaskId, number>();
    for (const wave of waves.toReversed())
      for (const id of wave) {
        const chain = (behind.get(id) ?? 0) + weightOf(tasks.get(id));
        for (const blocker of blockersOf.get(id) ?? [])
          if ((waveOf.get(blocker) ?? 0) < (waveOf.get(id) ?? 0))
            behind.set(blocker, Math.max(behind.get(blocker) ?? 0, chain));
      }
    return behind;
  },
);

/** How long its work takes beside that of others: the size that its definition names; a task of which nothing is known counts as a small one. */
const weightOf = (task: TaskState | undefined): number => {
  const estimate = task?.definition.metadata?.['estimate'];
  return typeof estimate === 'string' ? (sizes.get(estimate.toUpperCase()) ?? 1) : 1;
};

const sizes: ReadonlyMap<string, number> = new Map([
  ['XS', 0.5],
  ['S', 1],
  ['M', 2],
  ['L', 4],
  ['XL', 8],
]);

/** The longest chain that is left of a task and those that wait for it. */
export const chainOf = (state: SessionState): ((id: TaskId) => number) => {
  const behind = chainsBehind(graphOf(state), state.tasks);
  return (id) => (behind.get(id) ?? 0) + weightOf(state.tasks.get(id));
};

/** Compares two tasks: the longest remaining chain first, and of equal ones the `Sequential` task last, since nothing runs beside it. */
export const byChain = (state: SessionState): ((one: TaskState, other: TaskState) => number) => {
  const chain = chainOf(state);
  return ({ definition: one }, { definition: other }) =>
    chain(other.id) - chain(one.id) || lastOf(one) - lastOf(other);
};

const lastOf = ({ type }: TaskDefinition): number => (type === 'Sequential' ? 1 : 0);
