import type { TaskDefinition, TaskId } from '../../tasks/task.ts';
import { conflict } from './start.ts';

/** What is left of a task, in milliseconds as the scheduler knows them: these decide the order. */
export interface Planned {
  readonly task: TaskDefinition;
  readonly blockers: readonly TaskId[];
  readonly work: number;
  readonly check: number;
  readonly stage: 'waiting' | 'working' | 'worked' | 'checking';
}

/** What is left of a work and its check as they turn out to be, in milliseconds. */
export interface Took {
  readonly work: number;
  readonly check: number;
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

/** The rest of a graph, played as the scheduler runs it as often as it is called. */
export type Plan = (took: (planned: Planned) => Took, fromMs: number) => Ahead;

export const createPlan = (all: readonly Planned[], resources: Resources): Plan => {
  const nodes = nodesOf(all);
  const conflicts = conflictsIn(nodes);
  return (took, fromMs) => play({ nodes, resources, conflicts, took }, fromMs);
};

/** A task between those that wait for it and those that it waits for. */
interface Node {
  readonly planned: Planned;
  readonly at: number;
  readonly blockers: Node[];
  readonly dependants: Node[];
  /** The longest chain that is left of it and those that wait for it. */
  chain: number;
}

type Conflicts = (one: Node, other: Node) => boolean;

interface Played {
  readonly nodes: readonly Node[];
  readonly resources: Resources;
  readonly conflicts: Conflicts;
  readonly took: (planned: Planned) => Took;
}

interface Running {
  readonly node: Node;
  readonly phase: 'work' | 'check';
  readonly until: number;
  readonly took: Took;
}

const play = ({ nodes, resources, conflicts, took }: Played, fromMs: number): Ahead => {
  const begun = (node: Node, phase: Running['phase'], now: number, times = took(node.planned)): Running => ({
    node,
    phase,
    until: now + times[phase],
    took: times,
  });
  const open = nodes.map(({ blockers }) => blockers.length);
  const ends = new Map<Node, number>();
  const ready = nodes
    .filter(({ planned, at }) => planned.stage === 'waiting' && open[at] === 0)
    .toSorted(byChain);
  const toCheck = nodes.flatMap((node) =>
    node.planned.stage === 'worked' ? [{ node, took: took(node.planned) }] : [],
  );
  let running = nodes.flatMap((node): readonly Running[] => {
    const { stage } = node.planned;
    if (stage !== 'working' && stage !== 'checking') return [];
    return [begun(node, stage === 'working' ? 'work' : 'check', fromMs)];
  });
  for (let now = fromMs; ; ) {
    for (;;) {
      const next = nextOf({ toCheck, ready, running, conflicts }, resources);
      if (next === null) break;
      if (next === 'check') {
        const check = toCheck.shift();
        if (check) running.push(begun(check.node, 'check', now, check.took));
      } else {
        ready.splice(ready.indexOf(next), 1);
        running.push(begun(next, 'work', now));
      }
    }
    if (running.length === 0) return { endMs: now, task: firstBefore(ends) };
    now = running.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
    const over = running.filter(({ until }) => until <= now);
    running = running.filter(({ until }) => until > now);
    for (const { node, phase, took: times } of over)
      if (phase === 'work' && times.check > 0) toCheck.push({ node, took: times });
      else {
        ends.set(node, now);
        for (const freed of node.dependants) {
          const left = (open[freed.at] ?? 0) - 1;
          open[freed.at] = left;
          if (left === 0 && freed.planned.stage === 'waiting') ready.push(freed);
        }
        if (node.dependants.length > 0) ready.sort(byChain);
      }
  }
};

const slotsLeft = (running: readonly Running[], { slots, checks }: Resources): number => {
  const checking = checkingOf(running);
  return slots - (running.length - checking) - Math.max(0, checking - checks);
};

const checkingOf = (running: readonly Running[]): number =>
  running.reduce((sum, { phase }) => sum + (phase === 'check' ? 1 : 0), 0);

interface Waiting {
  readonly toCheck: readonly { readonly node: Node }[];
  readonly ready: readonly Node[];
  readonly running: readonly Running[];
  readonly conflicts: Conflicts;
}

/** The work that begins next, or that the first check does. A slot that a check of a merge and a work could have goes to the one with more behind it. */
const nextOf = (waiting: Waiting, resources: Resources): Node | 'check' | null => {
  const { toCheck, running } = waiting;
  const isToCheck = toCheck.length > 0;
  if (isToCheck && checkingOf(running) < resources.checks) return 'check';
  if (slotsLeft(running, resources) <= 0) return null;
  if (resources.isShared && isToCheck) return 'check';
  const work = firstOf(waiting, resources);
  if (work === null) return isToCheck ? 'check' : null;
  if (!isToCheck) return work;
  const ahead = toCheck.reduce((sum, { node: { planned } }) => sum + planned.check, 0);
  const behind = toCheck.reduce(
    (most, { node: { planned, chain } }) => Math.max(most, chain - planned.work - planned.check),
    0,
  );
  return ahead + behind >= work.chain ? 'check' : work;
};

/** The first that may start. One that must be alone lets nothing start before it. */
const firstOf = ({ ready, running, conflicts }: Waiting, { isShared }: Resources): Node | null => {
  const works = running.filter(({ phase }) => phase === 'work' || isShared);
  if (works.some(({ node }) => isSingle(node))) return null;
  for (const node of ready) {
    if (isSingle(node)) return works.length === 0 ? node : null;
    if (!isShared || !works.some((other) => conflicts(node, other.node))) return node;
  }
  return null;
};

const isSingle = ({ planned }: Node): boolean => planned.task.type === 'Sequential';

const byChain = (one: Node, other: Node): number => other.chain - one.chain || one.at - other.at;

/** Whether two tasks may change the same files, found out once for all plays. */
const conflictsIn = (nodes: readonly Node[]): Conflicts => {
  const known = new Map<number, boolean>();
  return (one, other) => {
    const pair = Math.min(one.at, other.at) * nodes.length + Math.max(one.at, other.at);
    const before = known.get(pair);
    if (before !== undefined) return before;
    const found = conflict(one.planned.task, other.planned.task);
    known.set(pair, found);
    return found;
  };
};

/** The tasks with the edges between them, which have no cycle. */
const nodesOf = (all: readonly Planned[]): readonly Node[] => {
  const nodes = all.map((planned, at): Node => ({ planned, at, blockers: [], dependants: [], chain: -1 }));
  const byId = new Map(nodes.map((node) => [node.planned.task.id, node]));
  for (const node of nodes)
    for (const id of node.planned.blockers) {
      const blocker = byId.get(id);
      if (blocker === undefined) continue;
      node.blockers.push(blocker);
      blocker.dependants.push(node);
    }
  const chainOf = (node: Node): number => {
    if (node.chain >= 0) return node.chain;
    node.chain = node.planned.work + node.planned.check + Math.max(0, ...node.dependants.map(chainOf));
    return node.chain;
  };
  for (const node of nodes) chainOf(node);
  return nodes;
};

/** Back from the last to end over the blocker that ends last, to one that waits for nothing. */
const firstBefore = (ends: ReadonlyMap<Node, number>): TaskId | null => {
  const lastOf = (nodes: Iterable<Node>): Node | null => {
    let last: Node | null = null;
    for (const node of nodes) if (last === null || (ends.get(node) ?? 0) > (ends.get(last) ?? 0)) last = node;
    return last;
  };
  for (let at = lastOf(ends.keys()); at !== null; ) {
    const before = lastOf(at.blockers);
    if (before === null) return at.planned.task.id;
    at = before;
  }
  return null;
};
