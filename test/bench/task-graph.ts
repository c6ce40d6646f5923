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
export const sleepingGraph = (seed: number, count: number, medianMs: number): readonly SleepingTask[] => {
  const random = createSeededRandom(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return Array.from({ length: count }, (_, at) => {
    const near = Math.min(at, 8);
    const blockers = new Set(
      Array.from({ length: near === 0 ? 0 : random.int(3) }, () => `t${at - 1 - random.int(near)}`),
    );
    return {
      id: `t${at}`,
      ms: Math.round(Math.min(5, Math.exp(0.7 * normal())) * medianMs),
      blockedBy: [...blockers],
    };
  });
};

/** No order ends earlier: the longest chain, or all work spread over the slots. `each`: what every task takes besides, once. */
export const boundOf = (tasks: readonly SleepingTask[], slots: number, each: number): number => {
  const ends = new Map<string, number>();
  for (const { id, ms, blockedBy } of tasks)
    ends.set(id, ms + each + Math.max(0, ...blockedBy.map((blocker) => ends.get(blocker) ?? 0)));
  const work = tasks.reduce((sum, { ms }) => sum + ms + each, 0);
  return Math.max(...ends.values(), work / slots);
};
