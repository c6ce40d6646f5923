import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { formatReplay, type Scenario, wholeSeed } from './scenario.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

/**
 * `npm run sim -- --seeds 1000 [--from 1]` plays that many seeds on every core; a failing one is shrunk and printed as the command that plays exactly it.
 * `npm run sim -- --seed 17 [--tasks 3] [--only 4,28]` plays one.
 */
interface Share {
  readonly from: number;
  readonly to: number;
  readonly stride: number;
}

interface Tally {
  readonly seeds: number;
  readonly events: number;
  readonly disturbances: number;
  readonly failed: readonly { readonly seed: number; readonly problems: readonly string[] }[];
}

const playShare = async ({ from, to, stride }: Share): Promise<Tally> => {
  const failed: Tally['failed'][number][] = [];
  let [seeds, events, disturbances] = [0, 0, 0];
  for (let seed = from; seed < to; seed += stride) {
    const verdict = await play(wholeSeed(seed));
    seeds += 1;
    events += verdict.events;
    disturbances += verdict.disturbances.length;
    if (verdict.problems.length > 0) failed.push({ seed, problems: verdict.problems });
  }
  return { seeds, events, disturbances, failed };
};

/** What is thrown out of a session is a broken promise too. */
const play = async (scenario: Scenario): ReturnType<typeof simulate> => {
  try {
    return await simulate(scenario);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { problems: [`threw: ${text}`], disturbances: [], events: 0 };
  }
};

const inWorker = (share: Share): Promise<Tally> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share, argv: process.argv.slice(2) });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

const report = async (scenario: Scenario, problems: readonly string[], small: boolean): Promise<void> => {
  console.log(`seed ${scenario.seed}:`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem}`);
  console.log(`  replay: ${formatReplay(scenario)}`);
  if (small) console.log(`  smaller: ${formatReplay(await shrink(scenario))}`);
};

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      tasks: { type: 'string' },
      only: { type: 'string' },
    },
  });
  if (values.seed !== undefined) {
    const only =
      values.only
        ?.split(',')
        .filter((part) => part !== 'none')
        .map(Number) ?? null;
    const tasks = values.tasks === undefined ? null : Number(values.tasks);
    const scenario: Scenario = { seed: Number(values.seed), only, tasks };
    const verdict = await play(scenario);
    if (verdict.problems.length > 0) await report(scenario, verdict.problems, false);
    else console.log(`seed ${scenario.seed}: every promise kept over ${verdict.events} events`);
    return verdict.problems.length > 0 ? 1 : 0;
  }
  const from = Number(values.from);
  const cores = Math.min(cpus().length, 8);
  const started = performance.now();
  const tallies = await Promise.all(
    Array.from({ length: cores }, (_, core) =>
      inWorker({ from: from + core, to: from + Number(values.seeds), stride: cores }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  const failed = tallies.flatMap((tally) => tally.failed);
  const sum = (of: 'seeds' | 'events' | 'disturbances'): string =>
    tallies.reduce((total, tally) => total + tally[of], 0).toLocaleString('en');
  for (const { seed, problems } of failed.slice(0, 3)) await report(wholeSeed(seed), problems, true);
  if (failed.length > 10)
    console.log(
      `also: ${failed
        .slice(10)
        .map(({ seed }) => seed)
        .join(', ')}`,
    );
  console.log(
    `${sum('seeds')} seeds from ${from} in ${seconds.toFixed(1)} s on ${cores} cores: ${sum('events')} events, ${sum('disturbances')} disturbances, ${failed.length} failed`,
  );
  return failed.length > 0 ? 1 : 0;
};

if (parentPort) parentPort.postMessage(await playShare(workerData as Share));
else process.exitCode = await main();
