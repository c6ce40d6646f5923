import { parseArgs } from 'node:util';
import { memoryRoot } from '../helpers/scratch-of-run.ts';
import { crashPoints } from './crash-points.ts';
import { fullDisk } from './full-disk.ts';
import { killProgram } from './kill-program.ts';
import { lockRace } from './lock-race.ts';
import { storm } from './mailbox-storm.ts';

/**
 * `npm run torture`: the short form of everything, one line of counts each, exit code 1 when a promise is broken.
 * `npm run torture -- NAME… [options]`: only these, as long as you like.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** storm: how many signals, and where; on a memory file system unless told. */
    signals: { type: 'string', default: '20000' },
    root: { type: 'string', default: memoryRoot },
    /** crash, power, disk: every how-many-th operation; 1 is all of them. */
    stride: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
    kills: { type: 'string', default: '8' },
  },
});
const stride = Number(values.stride);
const seed = Number(values.seed);

interface Count {
  readonly problems: readonly string[];
}

const tortures: Readonly<Record<string, () => Promise<Count>>> = {
  storm: () => storm({ signals: Number(values.signals), root: values.root }),
  crash: () => crashPoints({ stride, power: false, seed }),
  power: () => crashPoints({ stride, power: true, seed }),
  disk: () => fullDisk({ stride, what: 'disk' }),
  journal: () => fullDisk({ stride, what: 'journal' }),
  locks: () => lockRace(Number(values.rounds)),
  kill: () => killProgram(Number(values.kills)),
};

const told = (counts: object): string =>
  Object.entries(counts)
    .map(([what, count]) => (typeof count === 'object' ? `${what} (${told(count)})` : `${count} ${what}`))
    .join(', ');

const unknown = positionals.filter((name) => !(name in tortures));
if (unknown.length > 0) {
  console.error(`There is no torture ${unknown.join(', ')}; there are ${Object.keys(tortures).join(', ')}.`);
  process.exit(2);
}
for (const [name, run] of Object.entries(tortures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { problems, ...counts } = await run();
  const broken = problems.length === 0 ? '' : `; BROKEN PROMISES: ${problems.length}`;
  console.log(`${name}: ${told(counts)}${broken}`);
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
