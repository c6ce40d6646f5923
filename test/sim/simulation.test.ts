import { randomInt } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { limits } from '../helpers/limits.ts';
import { isLongForm, sized } from '../helpers/test-form.ts';
import { never } from './expected.ts';
import { createPlayers, playSeeds } from './players.ts';
import { formatReplay, type Scenario, simModeSchema, wholeSeed } from './scenario.ts';

/** All tests of this file give their seeds to the same players: the tests that have few run at once, so that no core is idle. */
const players = createPlayers();
afterAll(() => players.end());
const simulate = (scenario: Scenario) => players.play(scenario);

/** 700 in continuous integration; `SIM_SEEDS=100000` draws as many as that. */
const seeds = Number(process.env['SIM_SEEDS'] ?? sized({ short: 20, long: 700 }));

test(
  `the sessions of ${seeds} seeds over all modes keep their promises, whatever is thrown at them`,
  async () => {
    const { failed, counts } = await playSeeds(players, { from: 1, count: seeds, mode: 'all' });
    const broken = failed.flatMap(({ seed, mode, problems }) =>
      problems.map((problem) => `${formatReplay(wholeSeed(seed, mode))}: ${problem}`),
    );
    expect(broken).toEqual([]);
    // A few seeds do not meet everything; all of them have to.
    if (seeds >= 700) expect(never(counts, 'all')).toEqual([]);
  },
  limits.test + seeds * 1_000,
);

/**
 * Seeds that no run had before: the same ones again find nothing new, however many they are. The name of the test prints them; `SIM_FROM` plays them again.
 */
const freshFrom = Number(process.env['SIM_FROM'] ?? (isLongForm ? 1_001 + randomInt(900_000_000) : 1_001));
const fresh = sized({ short: 1, long: 40 });

test.concurrent.each(simModeSchema.options)(
  `so do those of %s with ${fresh} fresh seeds from ${freshFrom}`,
  async (mode) => {
    const { failed } = await playSeeds(players, { from: freshFrom, count: fresh, mode });
    console.log(
      `simulated ${mode}: ${fresh} fresh seeds from ${freshFrom} (SIM_FROM=${freshFrom} plays them again)`,
    );
    const broken = failed.flatMap(({ seed, problems }) =>
      problems.map((problem) => `${formatReplay(wholeSeed(seed, mode))}: ${problem}`),
    );
    expect(broken).toEqual([]);
  },
);

/** Seeds that once broke a promise. */
const mended = [
  ['team', 353, 'a pull request waited for good whose only issue a person had deleted'],
  ['team', 212, 'a worker took a task while the agent of its cancelled one still ran'],
  ['team', 241, 'a builder waited for the plan that it should have written itself'],
  ['team', 13, 'a worker of another program that came after the list was done stayed a member'],
  ['team', 407, 'a task that was opened again lost its lock, and an ABORT left the issue locked'],
  ['hero', 656, 'a cancelled task was put on the list again, without an end'],
  ['hero', 172, 'a plan was approved whose review a person had opened again'],
  ['team', 488, 'a pull request was no longer watched after a person deleted the first issue'],
  ['team', 883, 'the worktree of a task was removed that had just been opened again'],
  ['waves', 612, 'a message stayed in the mailbox of an ABORT that a crash cut short'],
  [
    'waves',
    240,
    'a result to be verified alone, whose blocker was opened again, was put into a batch without end',
  ],
  [
    'hero',
    700_178,
    'a program on another machine, taken over in the middle of a step, linked a document too',
  ],
  ['team', 700_062, 'a program on another machine removed a worktree in which the one that took over worked'],
  ['team', 700_252, 'an issue that a person deleted between a look and a change of it stopped the session'],
  ['team', 810_097, 'a plan was reopened while the move of its issue was under way'],
  ['waves', 560, 'git brought work back although the journal could not say that it would'],
  ['waves', 614, 'git took work back although the journal could not say that it would'],
  ['team', 736_983_917, 'a person took an issue over while git made ready to merge its branch'],
  ['team', 512_000_153, 'an agent wrote an issue into a worktree that has no folder for issues'],
  [
    'hero',
    8_200_178,
    'an issue that was left out and covered again changed its place in the list without end',
  ],
  ['team', 990_055, 'a power failure brought a deleted issue back after the list was done, with its lock'],
] as const;

test.concurrent.each(mended)('in %s, seed %i keeps its promises: once %s', async (mode, seed, _once) => {
  expect((await simulate(wholeSeed(seed, mode))).problems).toEqual([]);
});

/** The same, made small: the whole seed may meet something else first. */
const mendedSmall = [
  ['hero', 9_417_105, 4, [68, 96, 172, 180, 240, 340], 'a pull request that had passed was done twice'],
  [
    'hero',
    695,
    1,
    [280, 408, 424, 448, 452, 468, 492, 504, 512],
    'a branch was merged while its implementation, opened again, was reviewed',
  ],
  ['team', 78, 3, [340, 404, 544], 'a branch was merged while its implementation was opened again'],
  [
    'team',
    9_417_298,
    4,
    [4, 20, 72, 76, 264, 272],
    'an implementation that was opened again lost the lock of its issue',
  ],
] as const;

test.concurrent.each(mendedSmall)(
  'in %s, seed %i of %i tasks with %j keeps its promises: once %s',
  async (mode, seed, tasks, only, _once) => {
    expect((await simulate({ ...wholeSeed(seed, mode), tasks, only })).problems).toEqual([]);
  },
);

test.concurrent('a team verifies what the merge of its second stream makes', async () => {
  const { problems, counts } = await simulate(wholeSeed(11, 'team'));
  expect(problems).toEqual([]);
  expect(counts['merge proposed']).toBeGreaterThan(0);
});

test.concurrent('a team stops as blocked when a person says so after two ends without a result', async () => {
  const { problems, counts } = await simulate(wholeSeed(135, 'team'));
  expect(problems).toEqual([]);
  expect(counts['end blocked']).toBeGreaterThan(0);
});

test.concurrent('a seed is one run: played twice it is the same, event for event', async () => {
  for (const mode of ['waves', 'team'] as const) {
    const [first, second] = [await simulate(wholeSeed(7, mode)), await simulate(wholeSeed(7, mode))];
    expect(second).toEqual(first);
  }
});

test.concurrent('a seed without its disturbances keeps its promises too, and only those that are named happen', async () => {
  const whole = await simulate(wholeSeed(9));
  const [one = 0] = whole.disturbances;
  const single = await simulate({ ...wholeSeed(9), only: [one], tasks: 2 });
  expect(single).toMatchObject({ disturbances: [one], problems: [] });
});
