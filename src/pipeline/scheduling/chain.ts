import { memoiseLast } from '../../base/memoise.ts';
import type { Graph } from '../../tasks/graph.ts';
import type { TaskDefinition, TaskId } from '../../tasks/task.ts';
import type { SessionState, TaskState } from '../state.ts';
import { graphOf } from '../waves.ts';
import { earlierMs, sizeOf, usualMs } from './known-times.ts';

/** The longest chain of tasks that waits for each task, without the task itself. Ignores edges inside a cycle. The definitions belong to the graph. */
const chainsBehind = memoiseLast(
  (one: Known, other: Known) => one.earlier === other.earlier,
  ({ waves, blockersOf, waveOf }: Graph, state: Known): Chains => {
    const usual = usualMs(state) ?? 1;
    const weightOf = ({ definition }: TaskState): number =>
      earlierMs(state, definition) ?? sizeOf(definition) * usual;
    const behind = new Map<TaskId, number>();
    for (const wave of waves.toReversed())
      for (const id of wave) {
        const task = state.tasks.get(id);
        const chain = (behind.get(id) ?? 0) + (task === undefined ? 0 : weightOf(task));
        for (const blocker of blockersOf.get(id) ?? [])
          if ((waveOf.get(blocker) ?? 0) < (waveOf.get(id) ?? 0))
            behind.set(blocker, Math.max(behind.get(blocker) ?? 0, chain));
      }
    return { behind, weightOf };
  },
);

type Known = Pick<SessionState, 'tasks' | 'earlier'>;

interface Chains {
  readonly behind: ReadonlyMap<TaskId, number>;
  /** How long its work takes beside that of others: in milliseconds as soon as anything is known in time. */
  readonly weightOf: (task: TaskState) => number;
}

/** The longest chain that is left of a task and those that wait for it. */
export const chainOf = (state: SessionState): ((id: TaskId) => number) => {
  const { behind, weightOf } = chainsBehind(graphOf(state), state);
  return (id) => {
    const task = state.tasks.get(id);
    return (behind.get(id) ?? 0) + (task === undefined ? 0 : weightOf(task));
  };
};

/** Compares two tasks: the longest remaining chain first, and of equal ones the `Sequential` task last, since nothing runs beside it. */
export const byChain = (state: SessionState): ((one: TaskState, other: TaskState) => number) => {
  const chain = chainOf(state);
  return ({ definition: one }, { definition: other }) =>
    chain(other.id) - chain(one.id) || lastOf(one) - lastOf(other);
};

const lastOf = ({ type }: TaskDefinition): number => (type === 'Sequential' ? 1 : 0);
