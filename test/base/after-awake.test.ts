import { expect, test } from 'vitest';
import { afterAwake } from '../../src/base/after-awake.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

test.each([0, 3, 100, 500, 600_000, 86_400_000])('%d ms pass as on any clock', (ms) => {
  const clock = createManualClock();
  const ran: number[] = [];
  afterAwake(clock, ms, () => ran.push(clock.monotonic()));
  expect(ran).toEqual([]);
  clock.advance(2 * ms + 1);
  expect(ran).toEqual([ms]);
  expect(clock.armed()).toBe(0);
});

test.each([
  [1_000, 100],
  [600_000, 10_000],
])('of a stop in the middle of %d ms at most %d ms count, however long it was', (ms, counted) => {
  const clock = createManualClock();
  const ran: number[] = [];
  afterAwake(clock, ms, () => ran.push(clock.monotonic()));
  clock.advance(ms / 2 + 1);
  clock.stall(8 * 3_600_000);
  const awakeAgain = clock.monotonic();
  clock.advance(ms);
  expect((ran[0] ?? 0) - awakeAgain).toBe(ms / 2 - counted);
});

test('what came in the meantime is heard first, and may cancel it', () => {
  const clock = createManualClock();
  const ran: string[] = [];
  const cancel = afterAwake(clock, 100, () => ran.push('too late'));
  clock.advance(95);
  clock.stall(1_000);
  clock.after(0, () => {
    ran.push('it is there');
    cancel();
  });
  clock.advance(1_000);
  expect(ran).toEqual(['it is there']);
});
