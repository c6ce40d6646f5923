import { parseArgs } from 'node:util';
import { never } from './expected.ts';
import { play } from './play.ts';
import { createPlayers, playSeeds, type Tally } from './players.ts';
import { formatReplay, parseScenario, type Scenario, simModeSchema, wholeSeed } from './scenario.ts';
import { shrink } from './shrink.ts';

/**
 * `npm run sim -- --seeds 1000 [--from 1] [--counts]` plays that many seeds on every core; a failing one is shrunk and printed as the command that plays
 * exactly it. `--mode` names one of `waves`, `loop`, `hero`, `team` or `all`. `npm run sim -- --seed 17 [--tasks 3] [--only 4,28]` plays one. `--break <name>` breaks a promise on purpose (`breaks.ts`).
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    counts: { type: 'boolean', default: false },
    seed: { type: 'string' },
    mode: { type: 'string' },
    tasks: { type: 'string' },
    only: { type: 'string' },
    break: { type: 'string' },
  },
});

const mode = values.mode === 'all' ? 'all' : simModeSchema.parse(values.mode ?? 'waves');

const report = async (scenario: Scenario, problems: readonly string[], small: boolean): Promise<void> => {
  console.log(`seed ${scenario.seed}:`);
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem}`);
  console.log(`  replay: ${formatReplay(scenario)}`);
  if (small) console.log(`  smaller: ${formatReplay(await shrink(scenario))}`);
};

const playOne = async (scenario: Scenario): Promise<number> => {
  const verdict = await play(scenario);
  if (verdict.problems.length > 0) await report(scenario, verdict.problems, false);
  else console.log(`seed ${scenario.seed}: every promise kept over ${verdict.events} events`);
  return verdict.problems.length > 0 ? 1 : 0;
};

const mostShrunk = 3;

const playMany = async (from: number, count: number): Promise<number> => {
  const players = createPlayers();
  const started = performance.now();
  const broken = values.break ?? null;
  const sum = (tally: Tally): string => {
    const seconds = (performance.now() - started) / 1000;
    return `${number(tally.seeds)} seeds from ${from} in ${seconds.toFixed(1)} s on ${players.count} cores (${(tally.seeds / seconds).toFixed(1)} a second): ${number(tally.events)} events, ${number(tally.disturbances)} disturbances, ${tally.failed.length} failed`;
  };
  let told = 0;
  const tally = await playSeeds(players, { from, count, mode, broken }, (soFar, next) => {
    for (const { seed, problems } of soFar.failed.slice(told)) console.log(`seed ${seed}: ${problems[0]}`);
    told = soFar.failed.length;
    if (next < from + count) console.log(`${sum(soFar)}; goes on with --from ${next}`);
  });
  await players.end();
  if (values.counts)
    for (const [name, times] of Object.entries(tally.counts))
      console.log(`${number(times).padStart(12)}  ${name}`);
  for (const { seed, mode: own, problems } of tally.failed.slice(0, mostShrunk))
    await report({ ...wholeSeed(seed, own), broken }, problems, true);
  const missing = count >= 1_000 ? never(tally.counts, mode) : [];
  for (const name of missing) console.log(`never happened: ${name}`);
  console.log(sum(tally));
  return tally.failed.length + missing.length > 0 ? 1 : 0;
};

const number = (value: number): string => value.toLocaleString('en');

process.exitCode =
  values.seed === undefined
    ? await playMany(Number(values.from), Number(values.seeds))
    : await playOne(parseScenario({ ...values, seed: values.seed }));
