import { formatNoise, machineNoise } from './machine-noise.ts';
import type { Row } from './measure.ts';
import { checkpoint } from './rows/checkpoint.ts';
import { firstFrame } from './rows/first-frame.ts';
import { graph } from './rows/graph.ts';
import { overhead } from './rows/overhead.ts';
import { replay } from './rows/replay.ts';
import { start } from './rows/start.ts';

/**
 * `npm run bench [-- --json] [-- --check] [-- NAME…]`: each row measured beside its physical base in the same run, because absolute times say more about
 * the machine than about the program. `--check` names what falls short and then exits 1; without it the table is the answer.
 */
const benches: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  start,
  checkpoint,
  graph,
  replay,
  overhead,
  'first-frame': firstFrame,
};

const shown = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const line = (row: Row): string => {
  const base = row.base ? `${shown(row.base.value)} ${row.unit} ${row.base.name}` : '–';
  const ratio = row.base
    ? `${(row.unit === 'events/s' ? row.base.value / row.value : row.value / row.base.value).toFixed(1)}×`
    : '–';
  return `| ${row.name} | ${shown(row.value)} ${row.unit} | ${base} | ${ratio} | ${row.target} | ${row.ok ? 'yes' : 'NO'} |`;
};

const args = process.argv.slice(2);
const json = args.includes('--json');
const wanted = args.filter((arg) => !arg.startsWith('-'));
const rows: Row[] = [];
if (!json)
  console.log('| what | measured | base | ratio | target | reached |\n| --- | --- | --- | --- | --- | --- |');
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of await bench()) {
    rows.push(row);
    if (!json) console.log(line(row));
  }
}
const noise = machineNoise();
if (json) console.log(JSON.stringify({ rows, noise }));
else console.log(`\nMachine: ${formatNoise(noise)}.`);
if (args.includes('--check')) {
  const short = rows.filter((row) => !row.ok);
  for (const row of short)
    console.error(`falls short: ${row.name} is ${shown(row.value)} ${row.unit}, wanted ${row.target}`);
  process.exitCode = short.length > 0 ? 1 : 0;
}
