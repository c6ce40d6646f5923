import { cyclePath, cycleText } from '../tasks/cycle-path.ts';
import { buildGraph, type Graph, type Standing, standing } from '../tasks/graph.ts';
import { knownGraph } from '../tasks/known-graph.ts';
import type { TaskDefinition, TaskId } from '../tasks/task.ts';
import type { SessionState, TaskState } from './state.ts';

/** The `blockedBy` graph of all tasks in their current definitions. */
export const graphOf = (state: SessionState): Graph =>
  knownGraph([...state.tasks.values()].map((task) => task.definition));

/** Which tasks are ready, wait, are settled or unreachable (src/engine/README.md, States). Costs a walk over all tasks. */
export const standingOf = (state: SessionState, graph: Graph = graphOf(state)): Standing =>
  standing(graph, state.tasks, state.settings.retries.max_attempts);

/** The first level of the graph with an unsettled task, counted from 1. `null`: everything is settled. */
export const unsettledLevel = (state: SessionState, { settled }: Standing): number | null => {
  const index = graphOf(state).waves.findIndex((wave) => wave.some((id) => !settled.has(id)));
  return index < 0 ? null : index + 1;
};

/** True while a task is neither settled nor unreachable. */
export const hasOpenWork = (state: SessionState): boolean => {
  const { settled } = standingOf(state);
  return settled.size < state.tasks.size;
};

/** True when every blocker of the task is done. All replacements of a split blocker must be done. */
export const blockersDone = (state: SessionState, task: TaskState): boolean =>
  openBlockers(state, task).length === 0;

/** The blockers of a task that are not done, each by the tasks that replace it. */
export const openBlockers = (state: SessionState, task: TaskState): readonly TaskId[] =>
  task.definition.blockedBy.flatMap((id) => {
    const leaves = standsFor(state, id, new Set());
    return leaves.includes(task.definition.id)
      ? []
      : leaves.filter((leaf) => state.tasks.get(leaf)?.status !== 'done');
  });

const standsFor = (state: SessionState, id: TaskId, seen: Set<TaskId>): readonly TaskId[] => {
  seen.add(id);
  const parts = (state.tasks.get(id)?.definition.replaced_by ?? []).filter(
    (part) => state.tasks.has(part) && part !== id,
  );
  return parts.length === 0
    ? [id]
    : parts.flatMap((part) => (seen.has(part) ? [] : standsFor(state, part, seen)));
};

/** Why these definitions are invalid: a cycle with its members, or an id that no task has. `null` when they are valid. */
export const planFault = (state: SessionState, added: readonly TaskDefinition[]): string | null => {
  const definitions = new Map([...state.tasks].map(([id, task]) => [id, task.definition]));
  for (const definition of added) definitions.set(definition.id, definition);
  const { cycles, unknown, blockersOf } = buildGraph([...definitions.values()]);
  const ids = new Set(added.map((definition) => definition.id));
  const cycle = cycles.find((members) => members.some((id) => ids.has(id)));
  if (cycle) return `tasks wait for each other in a cycle: ${cycleText(cyclePath(cycle, blockersOf))}`;
  const ghost = unknown.find(({ task }) => ids.has(task));
  return ghost ? `${ghost.task} is blocked by ${ghost.blocker}, which does not exist` : null;
};
