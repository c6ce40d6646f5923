import { formatNoise, machineNoise } from './machine-noise.ts';
import { type Bench, type Row, rowsOfBench } from './measure.ts';
import { isQuiet, ratioOf, readRatchet, tightened, withRatchet, writeRatchet } from './ratchet.ts';
import { agentScreen } from './rows/agent-screen.ts';
import { agentTurn } from './rows/agent-turn.ts';
import { bigLogs } from './rows/big-logs.ts';
import { changes } from './rows/changes.ts';
import { checkpoint } from './rows/checkpoint.ts';
import { claimed } from './rows/claimed.ts';
import { discovery } from './rows/discovery.ts';
import { firstFrame } from './rows/first-frame.ts';
import { flowOverhead } from './rows/flow-overhead.ts';
import { graph } from './rows/graph.ts';
import { idleTeam } from './rows/idle-team.ts';
import { issues } from './rows/issues.ts';
import { largeSession } from './rows/large-session.ts';
import { loopStop } from './rows/loop-stop.ts';
import { makespan } from './rows/makespan.ts';
import { manyDrawn } from './rows/many-drawn.ts';
import { manyTasks } from './rows/many-tasks.ts';
import { overhead } from './rows/overhead.ts';
import { record } from './rows/record.ts';
import { remote } from './rows/remote.ts';
import { replay } from './rows/replay.ts';
import { screen } from './rows/screen.ts';
import { serve } from './rows/serve.ts';
import { start } from './rows/start.ts';
import { steerRequest } from './rows/steer-request.ts';
import { sweep } from './rows/sweep.ts';
import { timeline } from './rows/timeline.ts';
import { worktrees } from './rows/worktrees.ts';
import { soak } from './soak.ts';

/**
 * `npm run bench [-- --json] [-- --check] [-- --ratchet] [-- --soak 10m] [-- NAME…]`: each row measured beside its physical base in the same run, because absolute times say more about
 * the machine than about the program. A value is the median of the runs whose spread stands behind it. What cannot be measured is a row that falls short, and the rest goes on.
 * `--check` names what falls short and then exits 1; without it the table is the answer. `--ratchet` records the ratios that a quiet machine measures: none may be 1.3 times as much later. `--soak MINUTES` runs that and nothing else.
 */
const benches: Readonly<Record<string, Bench>> = {
  start,
  checkpoint,
  claimed,
  graph,
  loopStop,
  discovery,
  issues,
  replay,
  record,
  overhead,
  makespan,
  'flow-overhead': flowOverhead,
  'idle-team': idleTeam,
  'agent-turn': agentTurn,
  sweep,
  'steer-request': steerRequest,
  remote,
  'first-frame': firstFrame,
  screen,
  'agent-screen': agentScreen,
  timeline,
  serve,
  changes,
  worktrees,
  'many-tasks': manyTasks,
  'many-drawn': manyDrawn,
  'large-session': largeSession,
  'big-logs': bigLogs,
};

const shown = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const line = (row: Row): string => {
  if (row.reason !== undefined) return `| ${row.name} | – | – | – | – | ${row.target} | NO: ${row.reason} |`;
  const base = row.base ? `${shown(row.base.value)} ${row.unit} ${row.base.name}` : '–';
  const times = ratioOf(row);
  // Some targets are a few hundredths above 1.
  const ratio = times === null ? '–' : `${times.toFixed(times < 2 ? 2 : 1)}×`;
  const { spread } = row;
  const runs = spread ? `${shown(spread.least)}–${shown(spread.most)} in ${spread.runs}` : '–';
  return `| ${row.name} | ${shown(row.value)} ${row.unit} | ${runs} | ${base} | ${ratio} | ${row.target} | ${row.ok ? 'yes' : 'NO'} |`;
};

const args = process.argv.slice(2);
const json = args.includes('--json');
const soaking = args.indexOf('--soak');
const minutes = soaking < 0 ? 0 : Number.parseFloat(args[soaking + 1] ?? '') || 10;
const wanted = args.filter((arg, index) => !arg.startsWith('-') && (soaking < 0 || index !== soaking + 1));
const chosen = soaking < 0 ? benches : { soak: () => soak(minutes) };
const rows: Row[] = [];
let ratchet = readRatchet();
const binds = args.includes('--ratchet');
if (!json)
  console.log(
    '| what | measured | runs | base | ratio | target | reached |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
for (const [name, bench] of Object.entries(chosen)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const before = binds ? await machineNoise() : null;
  const measured: Row[] = [];
  for await (const row of rowsOfBench(name, bench)) {
    measured.push(row);
    rows.push(withRatchet(row, ratchet));
    if (!json) console.log(line(withRatchet(row, ratchet)));
  }
  if (before === null) continue;
  const busy = [before, await machineNoise()].find((noise) => !isQuiet(noise));
  // A busy machine slows a base as well as what is beside it.
  if (busy !== undefined) {
    console.error(`no ratchet for ${name}, the machine was busy: ${formatNoise(busy)}`);
    continue;
  }
  // All rows take most of an hour: a run that is cut short keeps what it measured.
  ratchet = tightened(ratchet, measured);
  writeRatchet(ratchet);
}
const noise = await machineNoise();
if (json) console.log(JSON.stringify({ rows, noise }));
else console.log(`\nMachine: ${formatNoise(noise)}.`);
if (args.includes('--check')) {
  const short = rows.filter((row) => !row.ok);
  for (const row of short)
    console.error(
      row.reason === undefined
        ? `falls short: ${row.name} is ${shown(row.value)} ${row.unit}, wanted ${row.target}`
        : `not measured: ${row.name}: ${row.reason}`,
    );
  process.exitCode = short.length > 0 ? 1 : 0;
}
