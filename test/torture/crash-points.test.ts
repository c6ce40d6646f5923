import { expect, test } from 'vitest';
import { sized } from '../helpers/test-form.ts';
import { crashPoints } from './crash-points.ts';

const stride = sized({ short: 48, long: 8 });
const fewest = sized({ short: 6, long: 40 });

test('a session stopped while it writes any of its files, and again while it recovers, ends as if nothing had happened', async () => {
  const result = await crashPoints({ stride, power: false });
  expect(result.problems).toEqual([]);
  expect(result.stops).toBeGreaterThan(fewest);
  expect(result['stops in the recovery']).toBeGreaterThan(fewest);
  for (const subject of [
    'journal',
    'progress',
    'metadata',
    'lock',
    'publish',
    'claim',
    'archive',
    'promotion',
  ])
    expect(result.operations[subject], subject).toBeGreaterThan(5);
});

test('the same holds when the power fails and takes any part of what was not flushed', async () => {
  const result = await crashPoints({ stride, power: true, seed: 2 });
  expect(result.problems).toEqual([]);
  expect(result.stops).toBeGreaterThan(fewest);
});

test('on a disk that only promises to flush the same power losses are found, in every kind of file', async () => {
  const { problems } = await crashPoints({ stride: 6, power: true, ignoreFlush: true });
  const found = problems.join('\n');
  for (const loss of [
    /was reported and is gone/,
    /metadata\.yaml is \d+ events ahead of the journal/,
    /is archived and the journal does not know it/,
    /metadata\.yaml is cut off/,
    /progress\.md is cut off/,
    /lock\/\d+ is cut off/,
  ])
    expect(found).toMatch(loss);
});
