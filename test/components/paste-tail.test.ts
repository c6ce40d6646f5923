import { expect, test } from 'vitest';
import { createPasteTail } from '../../components/keys/paste-tail.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

test('a key right behind a paste came with it, one a moment later did not', () => {
  const clock = createManualClock();
  const tail = createPasteTail(clock);
  expect(tail.isOpen()).toBe(false);
  tail.keepOpen('whole');
  clock.advance(49);
  expect(tail.isOpen()).toBe(true);
  clock.advance(2);
  expect(tail.isOpen()).toBe(false);
});

test('a clipboard that was caught holding keys gets longer, from each of its reads on', () => {
  const clock = createManualClock();
  const tail = createPasteTail(clock);
  tail.keepOpen('whole');
  tail.keepOpen('caught');
  tail.keepOpen('whole');
  clock.advance(200);
  tail.keepOpen('caught');
  clock.advance(249);
  expect(tail.isOpen()).toBe(true);
  clock.advance(2);
  expect(tail.isOpen()).toBe(false);
});

test('what was waiting while the program stood still belongs to the paste: it ends when the input was looked at, not when its time is over', () => {
  const clock = createManualClock();
  const stalled = {
    ...clock,
    after: (ms: number, run: () => void) => clock.after(ms === 0 ? 1_000 : ms, run),
  };
  const tail = createPasteTail(stalled);
  tail.keepOpen('whole');
  clock.advance(60);
  expect(tail.isOpen()).toBe(true);
  tail.keepOpen('caught');
  clock.advance(1_249);
  expect(tail.isOpen()).toBe(true);
  clock.advance(1);
  expect(tail.isOpen()).toBe(false);
});

test('a second long the rest of a paste may come without a mark', () => {
  const clock = createManualClock();
  const tail = createPasteTail(clock);
  expect(tail.isNear()).toBe(false);
  tail.keepOpen('whole');
  clock.advance(1_049);
  expect(tail.isNear()).toBe(true);
  clock.advance(1);
  expect(tail.isNear()).toBe(false);
});
