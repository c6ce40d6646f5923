import { createSeededRandom } from '../helpers/seeded-random.ts';

/** A task that only sleeps, and how long. */
export interface SleepingTask {
  readonly id: string;
  readonly ms: number;
  readonly blockedBy: readonly string[];
}

/**
 * A graph of sleeping tasks out of a seed: lognormal durations, about one and a half blockers each, most of them near, so that there are chains as well as
 * room beside them.
 */
export const sleepingGraph = (seed: number, count: number, medianMs: number): readonly SleepingTask[] =>
  graphOf(seed, count, medianMs, (at, random) => {
    const near = Math.min(at, 8);
    return Array.from({ length: near === 0 ? 0 : random.int(3) }, () => at - 1 - random.int(near));
  });

/** Graphs of other shapes. The task of a position waits for those at these positions. */
const blockersIn = {
  'no edges': () => [],
  chains: (at) => (at < 4 ? [] : [at - 4]),
  'fan out': (at) => (at === 0 ? [] : [0]),
  'fan in': (at, count) => (at === count - 1 ? positions(at) : []),
  diamond: (at, count) => (at === 0 ? [] : at === count - 1 ? positions(at).slice(1) : [0]),
  tree: (at) => (at === 0 ? [] : [(at - 1) >> 1]),
  'tree to its root': (at, count) =>
    [2 * (count - at) - 1, 2 * (count - at)].filter((from) => from < count).map((from) => count - 1 - from),
  layers: (at, _, random) =>
    at < 6 ? [] : Array.from({ length: 1 + random.int(2) }, () => at - (at % 6) - 6 + random.int(6)),
  random: (at, _, random) => (at === 0 ? [] : Array.from({ length: random.int(3) }, () => random.int(at))),
} as const satisfies Readonly<
  Record<string, (at: number, count: number, random: Random) => readonly number[]>
>;

export type Shape = keyof typeof blockersIn;

export const shapes: readonly Shape[] = [
  'no edges',
  'chains',
  'fan out',
  'fan in',
  'diamond',
  'tree',
  'tree to its root',
  'layers',
  'random',
];

export const shapedGraph = (shape: Shape, seed: number, count: number, medianMs: number) =>
  graphOf(seed, count, medianMs, (at, random) => blockersIn[shape](at, count, random));

type Random = ReturnType<typeof createSeededRandom>;

const positions = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const graphOf = (
  seed: number,
  count: number,
  medianMs: number,
  blockers: (at: number, random: Random) => readonly number[],
): readonly SleepingTask[] => {
  const random = createSeededRandom(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return positions(count).map((at) => {
    const blockedBy = new Set(blockers(at, random).map((blocker) => `t${blocker}`));
    const ms = Math.round(Math.min(5, Math.exp(0.7 * normal())) * medianMs);
    return { id: `t${at}`, ms, blockedBy: [...blockedBy] };
  });
};

/** What the tasks of a graph run in. */
export interface Room {
  readonly slots: number;
  /** Checks that take no slot; others run in one. 0 where each runs in the slot of its task. */
  readonly checks: number;
  /** Milliseconds of the check that each task ends with; 0 for none. */
  readonly checkMs: number;
}

/**
 * No order ends earlier. Every task that begins late and has much behind it counts: their work has the slots, and their work and checks have the slots and the
 * places of checks between the first of their beginnings and the least that follows one of them. One task is its longest chain.
 */
export const boundOf = (tasks: readonly SleepingTask[], { slots, checks, checkMs }: Room): number => {
  const heads = longest(tasks, checkMs);
  const tails = longest(turned(tasks), checkMs);
  const all = tasks.map(({ id, ms }) => ({ ms, head: heads.get(id) ?? 0, tail: tails.get(id) ?? 0 }));
  const byTail = all.toSorted((one, other) => other.tail - one.tail);
  let most = Math.max(0, ...all.map(({ ms, head, tail }) => head + ms + checkMs + tail));
  for (const from of new Set(all.map(({ head }) => head))) {
    let [work, count, shortest] = [0, 0, Number.POSITIVE_INFINITY];
    for (const { ms, head, tail } of byTail) {
      if (head < from) continue;
      work += ms;
      count += 1;
      shortest = Math.min(shortest, ms);
      // No check begins before the shortest work has ended.
      const both = (work + count * checkMs + checks * shortest) / (slots + checks);
      most = Math.max(most, from + tail + Math.max(work / slots + checkMs * Math.sign(checks), both));
    }
  }
  return most;
};

/** What at least comes before each task: the longest chain of its blockers. The tasks come after their blockers. */
const longest = (tasks: readonly SleepingTask[], checkMs: number): ReadonlyMap<string, number> => {
  const ends = new Map<string, number>();
  const begins = new Map<string, number>();
  for (const { id, ms, blockedBy } of tasks) {
    const begin = Math.max(0, ...blockedBy.map((blocker) => ends.get(blocker) ?? 0));
    begins.set(id, begin);
    ends.set(id, begin + ms + checkMs);
  }
  return begins;
};

/** The same graph from its end. */
const turned = (tasks: readonly SleepingTask[]): readonly SleepingTask[] => {
  const dependants = new Map<string, string[]>(tasks.map(({ id }) => [id, []]));
  for (const { id, blockedBy } of tasks) for (const blocker of blockedBy) dependants.get(blocker)?.push(id);
  return tasks.toReversed().map((task) => ({ ...task, blockedBy: dependants.get(task.id) ?? [] }));
};
