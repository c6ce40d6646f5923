import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { addCounts, type Counts } from './coverage.ts';
import { play } from './play.ts';
import { modeOfSeed, type Scenario, type SimMode, wholeSeed } from './scenario.ts';
import type { Verdict } from './simulate.ts';

/** A worker a core. Each plays the next scenario as soon as it is free: what was compiled for its first serves all others. */
export interface Players {
  readonly count: number;
  play(scenario: Scenario): Promise<Verdict>;
  end(): Promise<void>;
}

export const createPlayers = (): Players => {
  const count = Math.min(availableParallelism(), 8);
  const idle = Array.from({ length: count }, startPlayer);
  const waiting: ((player: Worker) => void)[] = [];
  const leave = (player: Worker): void => {
    const next = waiting.shift();
    if (next) next(player);
    else idle.push(player);
  };
  return {
    count,
    play: async (scenario) => {
      const player = idle.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)));
      player.postMessage(scenario);
      try {
        const [verdict] = await once(player, 'message');
        leave(player);
        return verdict;
      } catch (error) {
        // It has ended, without memory for example: the others are played all the same.
        leave(startPlayer());
        throw error;
      }
    },
    end: async () => {
      await Promise.all(idle.map((player) => player.terminate()));
    },
  };
};

const startPlayer = (): Worker =>
  new Worker(new URL('../helpers/quick-start.mjs', import.meta.url), {
    argv: [import.meta.filename],
    workerData: 'plays',
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });

if (workerData === 'plays')
  parentPort?.on('message', (scenario: Scenario) => {
    void play(scenario).then((verdict) => parentPort?.postMessage(verdict));
  });

export interface Tally {
  readonly seeds: number;
  readonly events: number;
  readonly disturbances: number;
  readonly counts: Counts;
  readonly failed: readonly {
    readonly seed: number;
    readonly mode: SimMode;
    readonly problems: readonly string[];
  }[];
}

/** A row of seeds. */
export interface Seeds {
  readonly from: number;
  readonly count: number;
  /** `all`: each seed has its own. */
  readonly mode: SimMode | 'all';
  readonly broken?: string | null;
}

/** Plays them in blocks; `told` hears of each block that is done. */
export const playSeeds = async (
  players: Players,
  { from, count, mode, broken = null }: Seeds,
  told: (so_far: Tally, next: number) => void = () => {},
): Promise<Tally> => {
  let tally = addTallies([]);
  for (let start = from; start < from + count; start += block) {
    const to = Math.min(start + block, from + count);
    const seeds = Array.from({ length: to - start }, (_, index) => start + index);
    const tallies = seeds.map(async (seed) => {
      const own = mode === 'all' ? modeOfSeed(seed) : mode;
      return tallyOf(seed, own, await players.play({ ...wholeSeed(seed, own), broken }), mode === 'all');
    });
    tally = addTallies([tally, ...(await Promise.all(tallies))]);
    told(tally, to);
  }
  return tally;
};

const block = 500;

const tallyOf = (seed: number, mode: SimMode, verdict: Verdict, named: boolean): Tally => ({
  seeds: 1,
  events: verdict.events,
  disturbances: verdict.disturbances.length,
  counts: named ? prefixed(mode, verdict.counts) : verdict.counts,
  failed: verdict.problems.length > 0 ? [{ seed, mode, problems: verdict.problems }] : [],
});

/** Counts of a draw over all modes: `hero: task done at the end`. */
const prefixed = (mode: SimMode, counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${mode}: ${name}`, count]));

const addTallies = (tallies: readonly Tally[]): Tally => ({
  seeds: tallies.reduce((sum, { seeds }) => sum + seeds, 0),
  events: tallies.reduce((sum, { events }) => sum + events, 0),
  disturbances: tallies.reduce((sum, { disturbances }) => sum + disturbances, 0),
  counts: addCounts(tallies.map(({ counts }) => counts)),
  failed: tallies.flatMap(({ failed }) => failed),
});
