import type { Topic } from './topic.ts';

/** The commands that repeat the proof of the promises. They need a checkout. */
export const proof: Topic = {
  name: 'proof',
  summary: 'how the promises are tested: simulation, torture, benchmarks',
  sections: () => [
    {
      kind: 'text',
      text: 'In a clone of the repository, `npm run sim -- --seeds 1000 --mode all --counts` plays whole sessions of every mode on a simulated disk and clock, with slow, failing and crashing agents, signals of every type, power losses and full disks. `test/sim/guards/` holds the invariants. A failing seed is shrunk and printed as the command that replays it. `--break lost-report` breaks a promise on purpose (`test/sim/breaks.ts`).',
    },
    {
      kind: 'text',
      text: '`npm run torture` runs the short form of each of the following, prints one line of counts for each, and exits with 1 when a promise is broken:',
    },
    { kind: 'table', rows: tortures },
    {
      kind: 'text',
      text: '`npm run bench` prints each number beside its physical baseline; with `-- --check`, it exits with 1 if a target is missed, and lists those missed. `npm run bench -- --soak 10m` watches the memory of the screen while 2,000 messages a second arrive.',
    },
  ],
};

const tortures: readonly (readonly string[])[] = [
  ['name', 'what it does', 'longer'],
  [
    '`storm`',
    '4 processes publish 20,000 signals, 4 claim and archive them, and one of the eight is killed every 100 to 300 ms: none lost, none acted on while half written, none archived twice',
    '`npm run torture -- storm --signals 100000`, on a real disk with `--root /var/tmp`',
  ],
  [
    '`crash`, `power`',
    'stops a session while it writes any of its files, and again while it recovers; `power` also loses any part of what was not flushed',
    '`npm run torture -- crash power --stride 1 --seed 2`',
  ],
  [
    '`disk`, `journal`',
    'fills the disk, or stops the journal from growing, at one operation after another; then makes room again',
    '`npm run torture -- disk journal --stride 1`',
  ],
  ['`locks`', 'eight processes race for the lock of a dead one', '`npm run torture -- locks --rounds 1000`'],
  [
    '`kill`',
    'kills the real program again and again; the result must equal that of an uninterrupted run',
    '`npm run torture -- kill --kills 50`',
  ],
];
