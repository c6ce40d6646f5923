import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/tasks/duration.ts';

it.each([
  ['60s', 60_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['2d', 172_800_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['250ms', 250],
  ['0s', 0],
  ['1500', 1_500],
  [1_500, 1_500],
])('%j is %d milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each(
  ['soon', '', '5', '-1s', '5 minutes', '1e9s', null, true, -1, Number.NaN, `${'9'.repeat(40)}s`].filter(
    (it) => it !== '5',
  ),
)('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBe(null);
});

it('is printed in the largest unit that reads back as the same number', () => {
  expect([90_000, 300_000, 86_400_000, 250, 0].map(formatDuration)).toEqual([
    '90s',
    '5m',
    '24h',
    '250ms',
    '0s',
  ]);
  fc.assert(
    fc.property(fc.nat(), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
});
