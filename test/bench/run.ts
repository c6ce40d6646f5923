import type { Row } from './measure.ts';
import { checkpoint } from './rows/checkpoint.ts';
import { firstFrame } from './rows/first-frame.ts';
import { graph } from './rows/graph.ts';
import { overhead } from './rows/overhead.ts';
import { replay } from './rows/replay.ts';
import { start } from './rows/start.ts';

/**
 * `npm run bench [-- --json] [-- NAME…]`: each row measured beside its physical base in the same run, because absolute times say more about
 * the machine than about the program.
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
if (json) console.log(JSON.stringify(rows));
process.exitCode = rows.every((row) => row.ok) ? 0 : 1;
