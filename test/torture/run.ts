import { parseArgs } from 'node:util';
import { killProgram } from './kill-program.ts';
import { storm } from './mailbox-storm.ts';

/**
 * `npm run torture`: the short form of everything, one line of counts each, exit code 1 when a promise is broken.
 * `npm run torture -- storm --signals 100000 | kill --kills 50 | …`: one of them, as long as you like.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    signals: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '8' },
    root: { type: 'string' },
  },
});

interface Count {
  readonly problems: readonly string[];
}

const tortures: Readonly<Record<string, () => Promise<Count>>> = {
  storm: () =>
    storm({ signals: Number(values.signals), ...(values.root === undefined ? {} : { root: values.root }) }),
  kill: () => killProgram(Number(values.kills)),
};

const unknown = positionals.filter((name) => !(name in tortures));
if (unknown.length > 0) {
  console.error(`There is no torture ${unknown.join(', ')}; there are ${Object.keys(tortures).join(', ')}.`);
  process.exit(2);
}
for (const [name, run] of Object.entries(tortures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { problems, ...counts } = await run();
  const told = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(
    `${name}: ${told.join(', ')}${problems.length === 0 ? '' : ` — ${problems.length} PROMISES BROKEN`}`,
  );
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
