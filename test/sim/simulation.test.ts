import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { sized } from '../helpers/test-form.ts';
import { never } from './expected.ts';
import { formatReplay, wholeSeed } from './scenario.ts';
import { playSeeds } from './shares.ts';
import { simulate } from './simulate.ts';

/** 1,000 in continuous integration; `SIM_SEEDS=100000` draws as many as that. */
const seeds = Number(process.env['SIM_SEEDS'] ?? sized({ short: 20, long: 1_000 }));

test(
  `the sessions of ${seeds} seeds over all modes keep their promises, whatever is thrown at them`,
  async () => {
    const cores = Math.min(availableParallelism(), 8);
    const { failed, counts } = await playSeeds({ from: 1, count: seeds, cores, broken: null, mode: 'all' });
    const broken = failed.flatMap(({ seed, mode, problems }) =>
      problems.map((problem) => `${formatReplay(wholeSeed(seed, mode))}: ${problem}`),
    );
    expect(broken).toEqual([]);
    // A few seeds do not meet everything; all of them have to.
    if (seeds >= 1_000) expect(never(counts, 'all')).toEqual([]);
  },
  Math.max(600_000, seeds * 1_000),
);

/** Seeds that once broke a promise. */
const mended = [
  ['team', 212, 'a worker took a task while the agent of its cancelled one still ran'],
  ['team', 241, 'a builder waited for the plan that it should have written itself'],
  ['team', 13, 'a worker of another program that came after the list was done stayed a member'],
  ['team', 407, 'a task that was opened again lost its lock, and an ABORT left the issue locked'],
  ['hero', 656, 'a cancelled task was put on the list again, without an end'],
  ['hero', 172, 'a plan was approved whose review a person had opened again'],
  ['team', 488, 'a pull request was no longer watched after a person deleted the first issue'],
  ['team', 883, 'the worktree of a task was removed that had just been opened again'],
] as const;

test.each(mended)('in %s, seed %i keeps its promises: once %s', async (mode, seed, _once) => {
  expect((await simulate(wholeSeed(seed, mode))).problems).toEqual([]);
});

test('a team verifies what the merge of its second stream makes', async () => {
  const { problems, counts } = await simulate(wholeSeed(11, 'team'));
  expect(problems).toEqual([]);
  expect(counts['merge proposed']).toBeGreaterThan(0);
});

test('a seed is one run: played twice it is the same, event for event', async () => {
  for (const mode of ['waves', 'team'] as const) {
    const [first, second] = [await simulate(wholeSeed(7, mode)), await simulate(wholeSeed(7, mode))];
    expect(second).toEqual(first);
  }
});

test('a seed without its disturbances keeps its promises too, and only those that are named happen', async () => {
  const whole = await simulate(wholeSeed(9));
  const [one = 0] = whole.disturbances;
  const single = await simulate({ ...wholeSeed(9), only: [one], tasks: 2 });
  expect(single).toMatchObject({ disturbances: [one], problems: [] });
});
