import type { TaskDefinition, TaskId } from '../../tasks/task.ts';
import { conflict } from './start.ts';

/** What is left of a task, in milliseconds. */
export interface Planned {
  readonly task: TaskDefinition;
  readonly blockers: readonly TaskId[];
  readonly work: number;
  /** The work as the scheduler knows it, which decides the order. */
  readonly weight: number;
  readonly check: number;
  readonly stage: 'waiting' | 'working' | 'worked' | 'checking';
}

export interface Resources {
  readonly slots: number;
  /** Checks that take no slot; 0: each runs in the slot of its task. */
  readonly checks: number;
  /** Tasks that change the same files never run together. */
  readonly isShared: boolean;
}

interface Ahead {
  readonly endMs: number;
  /** The first of the tasks that the last one to end waits for, one after the other. */
  readonly task: TaskId | null;
}

interface Running {
  readonly planned: Planned;
  readonly phase: 'work' | 'check';
  readonly until: number;
}

/** Plays the rest of the graph from `fromMs` as the scheduler runs it, if everything takes as long as planned. */
export const planAhead = (all: readonly Planned[], resources: Resources, fromMs: number): Ahead => {
  const graph = graphIn(all);
  const open = new Map(all.map(({ task }) => [task.id, graph.blockersOf(task.id).length]));
  const isReady = ({ task, stage }: Planned): boolean => stage === 'waiting' && open.get(task.id) === 0;
  const ends = new Map<TaskId, number>();
  let ready = all.filter(isReady).toSorted(graph.byChain);
  let toCheck = all.filter(({ stage }) => stage === 'worked');
  let running = all.flatMap((planned): readonly Running[] =>
    planned.stage === 'working' || planned.stage === 'checking'
      ? [begun(planned, planned.stage === 'working' ? 'work' : 'check', fromMs)]
      : [],
  );
  for (let now = fromMs; ; ) {
    for (
      let next = nextOf({ toCheck, ready, running }, resources, graph);
      next !== undefined;
      next = nextOf({ toCheck, ready, running }, resources, graph)
    ) {
      const { planned, phase } = next;
      ready = ready.filter((each) => each !== planned);
      toCheck = toCheck.filter((each) => each !== planned);
      running = [...running, begun(planned, phase, now)];
    }
    if (running.length === 0) return { endMs: now, task: firstBefore(lastOf(ends), graph, ends) };
    now = Math.min(...running.map(({ until }) => until));
    const over = running.filter(({ until }) => until <= now);
    running = running.filter(({ until }) => until > now);
    for (const { planned, phase } of over)
      if (phase === 'work' && planned.check > 0) toCheck = [...toCheck, planned];
      else {
        ends.set(planned.task.id, now);
        for (const id of graph.dependantsOf(planned.task.id)) open.set(id, (open.get(id) ?? 0) - 1);
        const freed = graph.dependantsOf(planned.task.id).flatMap((id) => graph.planned(id) ?? []);
        ready = [...ready, ...freed.filter(isReady)].toSorted(graph.byChain);
      }
  }
};

const begun = (planned: Planned, phase: Running['phase'], now: number): Running => ({
  planned,
  phase,
  until: now + planned[phase],
});

const slotsLeft = (running: readonly Running[], { slots, checks }: Resources): number => {
  const checking = running.filter(({ phase }) => phase === 'check').length;
  return slots - (running.length - checking) - Math.max(0, checking - checks);
};

interface Waiting {
  readonly toCheck: readonly Planned[];
  readonly ready: readonly Planned[];
  readonly running: readonly Running[];
}

/** What begins next. A slot that a check of a merge and a work could have goes to the one with more behind it. */
const nextOf = (
  { toCheck, ready, running }: Waiting,
  resources: Resources,
  graph: PlannedGraph,
): Omit<Running, 'until'> | undefined => {
  const [check] = toCheck;
  const checking = running.filter(({ phase }) => phase === 'check').length;
  const toBegin = check && ({ planned: check, phase: 'check' } as const);
  if (checking < resources.checks && toBegin) return toBegin;
  if (slotsLeft(running, resources) <= 0) return undefined;
  if (resources.isShared && toBegin) return toBegin;
  const work = firstOf(ready, running, resources);
  if (work === undefined) return toBegin;
  const ahead = toCheck.reduce((sum, each) => sum + each.check, 0);
  const behind = Math.max(0, ...toCheck.map((each) => graph.chainOf(each) - each.weight - each.check));
  return toBegin && ahead + behind >= graph.chainOf(work) ? toBegin : { planned: work, phase: 'work' };
};

/** The first that may start. One that must be alone lets nothing start before it. */
const firstOf = (
  ready: readonly Planned[],
  running: readonly Running[],
  resources: Resources,
): Planned | undefined => {
  const works = running.filter(({ phase }) => phase === 'work' || resources.isShared);
  if (works.some(({ planned }) => isSingle(planned))) return undefined;
  for (const planned of ready) {
    if (isSingle(planned)) return works.length === 0 ? planned : undefined;
    if (!resources.isShared || !works.some((other) => conflict(planned.task, other.planned.task)))
      return planned;
  }
  return undefined;
};

const isSingle = ({ task }: Planned): boolean => task.type === 'Sequential';

interface PlannedGraph {
  readonly planned: (id: TaskId) => Planned | undefined;
  readonly blockersOf: (id: TaskId) => readonly TaskId[];
  readonly dependantsOf: (id: TaskId) => readonly TaskId[];
  /** The longest chain that is left of a task and those that wait for it. */
  readonly chainOf: (planned: Planned) => number;
  /** The longest first. */
  readonly byChain: (one: Planned, other: Planned) => number;
}

/** The edges between these tasks, which have no cycle. */
const graphIn = (all: readonly Planned[]): PlannedGraph => {
  const byId = new Map(all.map((each) => [each.task.id, each]));
  const blockersOf = new Map(
    all.map(({ task, blockers }) => [task.id, blockers.filter((id) => byId.has(id))]),
  );
  const dependantsOf = new Map<TaskId, TaskId[]>(all.map(({ task }) => [task.id, []]));
  for (const [id, blockers] of blockersOf)
    for (const blocker of blockers) dependantsOf.get(blocker)?.push(id);
  const chains = new Map<TaskId, number>();
  const chainOf = (each: Planned): number => {
    const known = chains.get(each.task.id);
    if (known !== undefined) return known;
    const behind = (dependantsOf.get(each.task.id) ?? []).flatMap((id) => byId.get(id) ?? []);
    const chain = each.weight + each.check + Math.max(0, ...behind.map(chainOf));
    chains.set(each.task.id, chain);
    return chain;
  };
  return {
    planned: (id) => byId.get(id),
    blockersOf: (id) => blockersOf.get(id) ?? [],
    dependantsOf: (id) => dependantsOf.get(id) ?? [],
    chainOf,
    byChain: (one, other) => chainOf(other) - chainOf(one),
  };
};

const lastOf = (ends: ReadonlyMap<TaskId, number>): TaskId | null => {
  const [last] = [...ends].toSorted(([, one], [, other]) => other - one);
  return last?.[0] ?? null;
};

/** Back from one task over the blocker that ends last, to one that waits for nothing. */
const firstBefore = (
  last: TaskId | null,
  graph: PlannedGraph,
  ends: ReadonlyMap<TaskId, number>,
): TaskId | null => {
  for (let at = last; at !== null; ) {
    const [before] = graph
      .blockersOf(at)
      .toSorted((one, other) => (ends.get(other) ?? 0) - (ends.get(one) ?? 0));
    if (before === undefined) return at;
    at = before;
  }
  return null;
};
