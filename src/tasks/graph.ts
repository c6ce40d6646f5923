import { cyclePath, cycleText } from './cycle-path.ts';
import { at, findCycles } from './cycles.ts';
import { levels } from './levels.ts';
import type { TaskDefinition, TaskId, TaskStatus } from './task.ts';

/** The fields that the graph reads; a `TaskDefinition` is one. */
export type GraphTask = Pick<TaskDefinition, 'id' | 'blockedBy' | 'replaced_by'>;

/**
 * The `blockedBy` graph (seed 003, section 1.2; src/engine/README.md, States). The graph refuses nothing: `parsePlan` refuses bad plans, and a foreign
 * session shows its cycles and unknown ids while the other tasks run.
 */
export interface Graph {
  /** Every task once, in levels; inside a level in the order of definition. Ignores edges inside a cycle. A split task is where its first part is. */
  readonly waves: readonly (readonly TaskId[])[];
  /** Index into `waves`: 0 is the first. */
  readonly waveOf: ReadonlyMap<TaskId, number>;
  /** Known blockers, each once. The replacements of a split blocker take its place. */
  readonly blockersOf: ReadonlyMap<TaskId, readonly TaskId[]>;
  readonly dependantsOf: ReadonlyMap<TaskId, readonly TaskId[]>;
  /** Members of each cycle in the order of definition; a task that blocks itself is a cycle of one. */
  readonly cycles: readonly (readonly TaskId[])[];
  /** Edges that name no task. */
  readonly unknown: readonly { readonly task: TaskId; readonly blocker: string }[];
  /** Tasks without work of their own, because they were split. */
  readonly replaced: ReadonlySet<TaskId>;
}

/** Computes levels, edges in both directions, and their faults. 10,000 tasks with 20,000 edges take a few milliseconds. */
export const buildGraph = (tasks: readonly GraphTask[]): Graph => {
  const indexOf = new Map<TaskId, number>();
  for (const task of tasks) indexOf.set(task.id, indexOf.size);
  if (indexOf.size < tasks.length) return buildGraph(withoutDuplicates(tasks));
  const unknown: { task: TaskId; blocker: string }[] = [];
  const replacements = expandReplacements(tasks);
  const blockersOf = new Map<TaskId, readonly TaskId[]>();
  const rows = new Int32Array(tasks.length + 1);
  const targets: number[] = [];
  tasks.forEach((task, index) => {
    const blockers = distinct(replacements.size === 0 ? task.blockedBy : expanded(task, replacements));
    const before = unknown.length;
    for (const blocker of blockers) {
      const target = indexOf.get(blocker);
      if (target === undefined) unknown.push({ task: task.id, blocker });
      else targets.push(target);
    }
    blockersOf.set(task.id, unknown.length === before ? blockers : blockers.filter((id) => indexOf.has(id)));
    rows[index + 1] = targets.length;
  });
  const edges = Int32Array.from(targets);
  const sorted = levels(rows, edges, new Int32Array(tasks.length).fill(-1));
  const cycles = sorted.left === 0 ? [] : findCycles(rows, edges);
  const level =
    sorted.left === 0 ? sorted.level : levels(rows, edges, cycleNumbers(cycles, tasks.length)).level;

  const waves: TaskId[][] = [];
  const waveOf = new Map<TaskId, number>();
  tasks.forEach((task, index) => {
    // A split task has no work of its own, and its parts need not name its blockers again.
    const parts = replacements.get(task.id);
    const wave =
      parts?.reduce((first, id) => Math.min(first, at(level, indexOf.get(id) ?? index)), tasks.length) ??
      at(level, index);
    while (waves.length <= wave) waves.push([]);
    waves[wave]?.push(task.id);
    waveOf.set(task.id, wave);
  });
  let dependantsOf: ReadonlyMap<TaskId, readonly TaskId[]> | null = null;
  return {
    waves,
    waveOf,
    blockersOf,
    // Only views need it: computed on first use.
    get dependantsOf() {
      dependantsOf ??= turnedRound(blockersOf);
      return dependantsOf;
    },
    cycles: cycles.map((members) => members.flatMap((index) => tasks[index]?.id ?? [])),
    unknown,
    replaced: new Set(replacements.keys()),
  };
};

const turnedRound = (
  blockersOf: ReadonlyMap<TaskId, readonly TaskId[]>,
): ReadonlyMap<TaskId, readonly TaskId[]> => {
  const dependantsOf = new Map<TaskId, TaskId[]>();
  for (const id of blockersOf.keys()) dependantsOf.set(id, []);
  for (const [id, blockers] of blockersOf)
    for (const blocker of blockers) dependantsOf.get(blocker)?.push(id);
  return dependantsOf;
};

/** When an id is defined twice the last definition wins, as in `progress.md`. */
const withoutDuplicates = (definitions: readonly GraphTask[]): readonly GraphTask[] => [
  ...new Map(definitions.map((definition) => [definition.id, definition])).values(),
];

/** Tasks without work of their own, because others took them over. */
export const replacedTasks = (tasks: readonly GraphTask[]): ReadonlySet<TaskId> =>
  new Set(expandReplacements(tasks).keys());

/**
 * The final replacements of each split task. Follows a replacement that was split again, but not a ring of replacements or an unknown id.
 * A task whose replacements are all missing keeps its own place.
 */
const expandReplacements = (tasks: readonly GraphTask[]): ReadonlyMap<TaskId, readonly TaskId[]> => {
  if (!tasks.some((task) => task.replaced_by.length > 0)) return new Map();
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const leavesOf = new Map<TaskId, readonly TaskId[]>();
  // Backwards, because parts come after the task they were split from: this walks a chain of splits once, not once for each member.
  for (const task of tasks.toReversed()) {
    if (task.replaced_by.length === 0) continue;
    const seen = new Set<TaskId>();
    const leaves = new Set<TaskId>();
    // An explicit stack: a chain of 20,000 splits would overflow the call stack.
    const stack = [task.id];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const worked = leavesOf.get(id);
      if (worked !== undefined) {
        for (const leaf of worked) leaves.add(leaf);
        continue;
      }
      const known = (byId.get(id)?.replaced_by ?? []).filter((next) => byId.has(next) && next !== id);
      if (known.length === 0) leaves.add(id);
      stack.push(...known.toReversed());
    }
    if (leaves.size > 0 && !leaves.has(task.id)) leavesOf.set(task.id, [...leaves]);
  }
  return leavesOf;
};

/** A task's blockers, with replacements for each split one. A part split from its own blocker does not wait for itself or its siblings. */
const expanded = (task: GraphTask, replacements: ReadonlyMap<TaskId, readonly TaskId[]>): readonly TaskId[] =>
  task.blockedBy.flatMap((id) => {
    const split = replacements.get(id);
    if (split === undefined) return [id];
    return split.includes(task.id) ? [] : split;
  });

/** Most tasks have one or two blockers: building a set for each would take half of the total time. */
const distinct = (ids: readonly TaskId[]): readonly TaskId[] => {
  if (ids.length < 2 || (ids.length === 2 && ids[0] !== ids[1])) return ids;
  return [...new Set(ids)];
};

const cycleNumbers = (cycles: readonly (readonly number[])[], count: number): Int32Array => {
  const group = new Int32Array(count).fill(-1);
  cycles.forEach((members, number) => {
    for (const member of members) group[member] = number;
  });
  return group;
};

/** The fields of a task that `standing` reads; `TaskState` is one. */
export interface TaskStanding {
  readonly status: TaskStatus;
  /** Outcomes that count against `retries.max_attempts`. */
  readonly failures: number;
  /** Crashes in a row without progress: ten stop a task permanently. */
  readonly crashes?: number;
}

/** Why a task can never start: "blocked by task-2, failed". */
export interface Unreachable {
  /** The task at whose end nothing can start; `null`: the task itself is in a cycle. */
  readonly blocker: TaskId | null;
  readonly why: string;
}

/** The standing of every task (src/engine/README.md, "Settled"). */
export interface Standing {
  /** Open, or failed with attempts left, and every blocker done; in the order of the waves. */
  readonly ready: readonly TaskId[];
  /** Open tasks with their unfinished blockers. */
  readonly waitingFor: ReadonlyMap<TaskId, readonly TaskId[]>;
  /** Open tasks that can never start. */
  readonly unreachable: ReadonlyMap<TaskId, Unreachable>;
  /** Done, cancelled, replaced, failed permanently, unreachable. */
  readonly settled: ReadonlySet<TaskId>;
}

const crashLimit = 10;

/** Failed with no attempts left. */
export const failedForGood = (task: TaskStanding, maxAttempts: number): boolean =>
  task.status === 'failed' && (task.failures >= maxAttempts || (task.crashes ?? 0) >= crashLimit);

/** Whether the task is failed for good once its current attempt fails. */
export const isLastAttempt = ({ failures }: TaskStanding, maxAttempts: number): boolean =>
  failedForGood({ status: 'failed', failures: failures + 1 }, maxAttempts);

/** Sorts tasks into ready, waiting and unreachable. A task without an entry in `tasks` counts as open. */
export const standing = (
  graph: Graph,
  tasks: ReadonlyMap<TaskId, TaskStanding>,
  maxAttempts: number,
): Standing => {
  const live = graph.cycles.length === 0 ? graph : withoutDone(graph, tasks);
  const ready: TaskId[] = [];
  const waitingFor = new Map<TaskId, readonly TaskId[]>();
  const settled = new Set<TaskId>();
  const unreachable = new Map<TaskId, Unreachable>();
  /** The reason why no dependant of this task can start. */
  const dead = new Map<TaskId, Unreachable>();
  const stuck = new Map<TaskId, Unreachable>();
  for (const members of live.cycles) {
    const why = `in a cycle: ${cycleText(cyclePath(members, live.blockersOf))}`;
    for (const id of members) stuck.set(id, { blocker: null, why });
  }
  for (const { task, blocker } of live.unknown) stuck.set(task, { blocker, why: 'which does not exist' });

  for (const id of live.waves.flat()) {
    const task = tasks.get(id);
    if (task?.status === 'done' || live.replaced.has(id)) {
      settled.add(id);
    } else if (task?.status === 'cancelled' || (task && failedForGood(task, maxAttempts))) {
      settled.add(id);
      dead.set(id, { blocker: id, why: task.status });
    } else if (task === undefined || task.status === 'open' || task.status === 'failed') {
      const missing = (live.blockersOf.get(id) ?? []).filter(
        (blocker) => tasks.get(blocker)?.status !== 'done',
      );
      const reason = stuck.get(id) ?? firstOf(missing, dead);
      if (reason !== undefined) {
        settled.add(id);
        unreachable.set(id, reason);
        dead.set(id, { ...reason, blocker: reason.blocker ?? id });
      } else if (missing.length === 0) ready.push(id);
      else waitingFor.set(id, missing);
    }
  }
  return { ready, waitingFor, unreachable, settled };
};

const firstOf = (
  ids: readonly TaskId[],
  reasons: ReadonlyMap<TaskId, Unreachable>,
): Unreachable | undefined => {
  if (reasons.size === 0) return undefined;
  for (const id of ids) if (reasons.has(id)) return reasons.get(id);
  return undefined;
};

/** A person may have marked a member of a cycle as done, and the remaining members may then form no cycle. */
const withoutDone = (graph: Graph, tasks: ReadonlyMap<TaskId, TaskStanding>): Graph => {
  const rest = buildGraph(
    [...graph.waveOf.keys()].map((id) => ({
      id,
      blockedBy: (graph.blockersOf.get(id) ?? []).filter((blocker) => tasks.get(blocker)?.status !== 'done'),
      replaced_by: [],
    })),
  );
  return { ...rest, unknown: graph.unknown, replaced: graph.replaced };
};
