import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chiSquareQuantile, quantile, shareBelow } from '../../src/pipeline/scheduling/normal.ts';
import { before, drawnOf, type Spread, timeAt, told, usualOf } from '../../src/pipeline/scheduling/spread.ts';
import { draws } from '../helpers/test-form.ts';

test.each([
  [0, 0.5],
  [1, 0.841345],
  [-1.959964, 0.025],
  [2.575829, 0.995],
])('below %d lies a share of %d of a normal distribution', (z, share) => {
  expect(shareBelow(z)).toBeCloseTo(share, 6);
  expect(quantile(share)).toBeCloseTo(z, 4);
});

test.each([
  [0.5, 4, 3.357],
  [0.95, 10, 18.307],
  [0.05, 10, 3.94],
])('below a share of %d with %d degrees of freedom lies chi-square %d', (share, freedom, value) => {
  expect(chiSquareQuantile(share, freedom)).toBeCloseTo(value, 1);
});

const nothing = before(1, 0, 0.6, 3);

const median = (spread: Spread): number => Math.exp(usualOf(spread).mean);

test('times that ended tell the median, and the more of them the surer is the spread', () => {
  const three = told(nothing, [40, 60, 90], []);
  expect(median(three)).toBeCloseTo(60, 0);
  const thirty = told(nothing, Array(10).fill([40, 60, 90]).flat(), []);
  expect(median(thirty)).toBeCloseTo(60, 0);
  const width = (spread: Spread): number =>
    drawnOf(spread, { mean: 0.95, deviation: 0.5 }).mean -
    drawnOf(spread, { mean: 0.05, deviation: 0.5 }).mean;
  expect(width(thirty)).toBeLessThan(width(three) / 2);
});

test('of works that all take equally long little is left open', () => {
  const { deviation } = usualOf(told(nothing, Array(20).fill(60), []));
  expect(deviation).toBeLessThan(0.25);
});

test('a work that has run for long says that works take long, one that has begun says nothing', () => {
  const ended = [40, 60, 90];
  const before = told(nothing, ended, []);
  expect(median(told(nothing, ended, [0, 1]))).toBeCloseTo(median(before), 5);
  expect(median(told(nothing, ended, [400]))).toBeGreaterThan(1.2 * median(before));
});

test('what is known from before weighs as much as it says, and gives way to what ends here', () => {
  const known = before(100, 4, 0.1, 4);
  expect(median(told(known, [], []))).toBeCloseTo(100, 5);
  expect(median(told(known, [400, 400, 400, 400], []))).toBeCloseTo(200, 0);
  expect(usualOf(told(known, [50, 400], [])).deviation).toBeGreaterThan(0.5);
});

test('a time is longer than what has passed, and grows with its share', () => {
  const { mean, deviation } = usualOf(told(nothing, [40, 60, 90], []));
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1_000_000, noNaN: true }),
      fc.double({ min: 0.001, max: 0.998, noNaN: true }),
      (passed, share) => {
        const time = timeAt({ mean, deviation }, share, passed);
        expect(time).toBeGreaterThanOrEqual(passed);
        expect(Number.isFinite(time)).toBe(true);
        expect(timeAt({ mean, deviation }, share + 0.001, passed)).toBeGreaterThanOrEqual(time);
      },
    ),
    draws(400),
  );
});
