import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { addCounts, type Counts } from './coverage.ts';
import { play } from './play.ts';
import { modeOfSeed, type SimMode, wholeSeed } from './scenario.ts';

/** A row of seeds, played by one worker. */
export interface Share {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
  /** `all`: each seed has its own. */
  readonly mode: SimMode | 'all';
  readonly broken: string | null;
}

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

const playShare = async ({ from, to, stride, mode, broken }: Share): Promise<Tally> => {
  const tallies: Tally[] = [];
  for (let seed = from; seed < to; seed += stride) {
    const own = mode === 'all' ? modeOfSeed(seed) : mode;
    const { events, disturbances, counts, problems } = await play({ ...wholeSeed(seed, own), broken });
    const failed = problems.length > 0 ? [{ seed, mode: own, problems }] : [];
    const named = mode === 'all' ? prefixed(own, counts) : counts;
    tallies.push({ seeds: 1, events, disturbances: disturbances.length, counts: named, failed });
  }
  return addTallies(tallies);
};

/** Counts of a draw over all modes: `hero: task done at the end`. */
const prefixed = (mode: SimMode, counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${mode}: ${name}`, count]));

export const addTallies = (tallies: readonly Tally[]): Tally => ({
  seeds: tallies.reduce((sum, { seeds }) => sum + seeds, 0),
  events: tallies.reduce((sum, { events }) => sum + events, 0),
  disturbances: tallies.reduce((sum, { disturbances }) => sum + disturbances, 0),
  counts: addCounts(tallies.map(({ counts }) => counts)),
  failed: tallies.flatMap(({ failed }) => failed),
});

/** A worker that plays one share after another: what was compiled for the first serves the next. */
export interface Player {
  play(share: Share): Promise<Tally>;
  end(): Promise<void>;
}

export const createPlayer = (): Player => {
  const worker = new Worker(new URL('../helpers/quick-start.mjs', import.meta.url), {
    argv: [import.meta.filename],
    workerData: 'plays',
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });
  return {
    play: async (share) => {
      worker.postMessage(share);
      const [tally] = await once(worker, 'message');
      return tally;
    },
    end: async () => {
      await worker.terminate();
    },
  };
};

/** So many seeds on so many workers, in blocks; `told` hears of each block that is done. */
export const playSeeds = async (
  {
    from,
    count,
    cores,
    broken,
    mode = 'waves',
    block = 500,
  }: {
    readonly from: number;
    readonly count: number;
    readonly cores: number;
    readonly broken: string | null;
    readonly mode?: Share['mode'];
    readonly block?: number;
  },
  told: (so_far: Tally, next: number) => void = () => {},
): Promise<Tally> => {
  const players = Array.from({ length: cores }, createPlayer);
  let tally = addTallies([]);
  for (let start = from; start < from + count; start += block) {
    const to = Math.min(start + block, from + count);
    const shares = players.map((player, core) =>
      player.play({ from: start + core, to, stride: cores, mode, broken }),
    );
    tally = addTallies([tally, ...(await Promise.all(shares))]);
    told(tally, to);
  }
  await Promise.all(players.map((player) => player.end()));
  return tally;
};

if (workerData === 'plays')
  parentPort?.on('message', (share: Share) => {
    void playShare(share).then((tally) => parentPort?.postMessage(tally));
  });
