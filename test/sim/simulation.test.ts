import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { isLongForm, sized } from '../helpers/test-form.ts';
import { never } from './expected.ts';
import { formatReplay, wholeSeed } from './scenario.ts';
import { playSeeds } from './shares.ts';
import { simulate } from './simulate.ts';

const seeds = sized({ short: 60, long: 1_000 });

test(`the sessions of ${seeds} seeds keep their promises, whatever is thrown at them`, async () => {
  const cores = Math.min(availableParallelism(), 8);
  const { failed, counts } = await playSeeds({ from: 1, count: seeds, cores, broken: null });
  const broken = failed.flatMap(({ seed, problems }) =>
    problems.map((problem) => `${formatReplay(wholeSeed(seed))}: ${problem}`),
  );
  expect(broken).toEqual([]);
  // A few seeds do not meet everything; all of them have to.
  if (isLongForm) expect(never(counts)).toEqual([]);
}, 600_000);

test('and those of loops', async () => {
  const cores = Math.min(availableParallelism(), 8);
  const count = sized({ short: 40, long: 1_000 });
  const { failed, counts } = await playSeeds({ from: 1, count, cores, broken: null, mode: 'loop' });
  const broken = failed.flatMap(({ seed, problems }) =>
    problems.map((problem) => `${formatReplay(wholeSeed(seed, 'loop'))}: ${problem}`),
  );
  expect(broken).toEqual([]);
  if (isLongForm) expect(never(counts, 'loop')).toEqual([]);
}, 600_000);

test('a seed is one run: played twice it is the same, event for event', async () => {
  const [first, second] = [await simulate(wholeSeed(7)), await simulate(wholeSeed(7))];
  expect(second).toEqual(first);
});

test('a seed without its disturbances keeps its promises too, and only those that are named happen', async () => {
  const whole = await simulate(wholeSeed(9));
  const [one = 0] = whole.disturbances;
  const single = await simulate({ ...wholeSeed(9), only: [one], tasks: 2 });
  expect(single).toMatchObject({ disturbances: [one], problems: [] });
});
