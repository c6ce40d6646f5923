import { expect, test } from 'vitest';
import { formatReplay, wholeSeed } from './scenario.ts';
import { simulate } from './simulate.ts';

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

test(`the sessions of ${seeds.length} seeds keep their promises, whatever is thrown at them`, async () => {
  const broken: string[] = [];
  for (const seed of seeds)
    for (const problem of (await simulate(wholeSeed(seed))).problems)
      broken.push(`${formatReplay(wholeSeed(seed))}: ${problem}`);
  expect(broken).toEqual([]);
}, 600_000);

test('a seed is one run: played twice it is the same, event for event', async () => {
  const [first, second] = [await simulate(wholeSeed(7)), await simulate(wholeSeed(7))];
  expect(second).toEqual(first);
});

test('a seed without its disturbances keeps its promises too, and only those that are named happen', async () => {
  const whole = await simulate(wholeSeed(9));
  const [one = 0] = whole.disturbances;
  expect((await simulate({ seed: 9, only: [one], tasks: 2 })).disturbances).toEqual([one]);
});
