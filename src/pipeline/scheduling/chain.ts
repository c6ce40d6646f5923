import { memoiseLast } from '../../base/memoise.ts';
import type { Graph } from '../../tasks/graph.ts';
import type { TaskDefinition, TaskId } from '../../tasks/task.ts';
import type { SessionState, TaskState } from '../state.ts';
import { graphOf } from '../waves.ts';
import { checkShare, earlierMs, sizeOf, usualMs } from './known-times.ts';
import { isLookedAt } from './slots.ts';

/** The longest chain of tasks that waits for each task, without the task itself. Ignores edges inside a cycle. The definitions belong to the graph. */
const chainsBehind = memoiseLast(
  (one: Known, other: Known) =>
    one.state.earlier === other.state.earlier &&
    one.state.settings === other.state.settings &&
    one.share === other.share,
  ({ waves, blockersOf, waveOf }: Graph, { state, share }: Known): Chains => {
    const usual = usualMs(state) ?? 1;
    const checkOf = (task: TaskState): number => (isLookedAt(state, task) ? share * usual : 0);
    const weightOf = ({ definition }: TaskState): number =>
      earlierMs(state, definition) ?? sizeOf(definition) * usual;
    const behind = new Map<TaskId, number>();
    for (const wave of waves.toReversed())
      for (const id of wave) {
        const task = state.tasks.get(id);
        const own = task === undefined ? 0 : weightOf(task) + checkOf(task);
        const chain = (behind.get(id) ?? 0) + own;
        for (const blocker of blockersOf.get(id) ?? [])
          if ((waveOf.get(blocker) ?? 0) < (waveOf.get(id) ?? 0))
            behind.set(blocker, Math.max(behind.get(blocker) ?? 0, chain));
      }
    return { behind, weightOf, checkOf };
  },
);

interface Known {
  readonly state: SessionState;
  readonly share: number;
}

interface Chains {
  readonly behind: ReadonlyMap<TaskId, number>;
  /** How long its work, and its check, take beside those of others: in milliseconds as soon as anything is known in time. */
  readonly weightOf: (task: TaskState) => number;
  readonly checkOf: (task: TaskState) => number;
}

const chainsIn = (state: SessionState): Chains =>
  chainsBehind(graphOf(state), { state, share: checkShare(state) });

/** The longest chain that is left of a task and those that wait for it. */
export const chainOf = (state: SessionState): ((id: TaskId) => number) => {
  const { behind, weightOf, checkOf } = chainsIn(state);
  return (id) => {
    const task = state.tasks.get(id);
    return (behind.get(id) ?? 0) + (task === undefined ? 0 : weightOf(task) + checkOf(task));
  };
};

/** The chain that is left when the checks of these tasks, of which each waits for the one before, have begun one after the other. */
export const chainOfChecks = (
  state: SessionState,
  waiting: readonly TaskState[],
  behindThem: readonly TaskState[],
): number => {
  const { behind, checkOf } = chainsIn(state);
  const checks = waiting.reduce((sum, task) => sum + checkOf(task), 0);
  return checks + Math.max(0, ...behindThem.map(({ definition }) => behind.get(definition.id) ?? 0));
};

/** Compares two tasks: the longest remaining chain first, and of equal ones the `Sequential` task last, since nothing runs beside it. */
export const byChain = (state: SessionState): ((one: TaskState, other: TaskState) => number) => {
  const chain = chainOf(state);
  return ({ definition: one }, { definition: other }) =>
    chain(other.id) - chain(one.id) || lastOf(one) - lastOf(other);
};

const lastOf = ({ type }: TaskDefinition): number => (type === 'Sequential' ? 1 : 0);
