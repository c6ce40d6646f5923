import { describe, expect, test } from 'vitest';
import { createTimers } from '../../src/engine/timers.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

const minute = 60_000;
const hour = 60 * minute;

const begin = () => {
  const clock = createManualClock();
  const fired: { readonly timer: string; readonly at: number }[] = [];
  const start = clock.now();
  const timers = createTimers({
    clock,
    later: clock.after,
    fired: (timer) => fired.push({ timer, at: clock.now() - start }),
  });
  /** A laptop that is closed: the time of day goes on, the timers of the platform stand still. */
  const sleep = (ms: number): void => clock.setNow(clock.now() + ms);
  return {
    clock,
    timers,
    fired,
    sleep,
    arm: (timer: string, ms: number) => timers.arm(timer, clock.now() + ms),
  };
};

describe('a deadline', () => {
  test.each([0, 1, 9_999, hour, 40 * 24 * hour])('of %d ms is met to the millisecond', (ms) => {
    const { clock, fired, arm } = begin();
    arm('gate:knowledge', ms);
    arm('wip:Executor-1', ms);
    clock.advance(ms + hour);
    expect(fired.map(({ at }) => at)).toEqual([ms, ms]);
    expect(clock.armed()).toBe(0);
  });

  test('that passed while the machine slept is seen within seconds of its waking', () => {
    const { clock, fired, arm, sleep } = begin();
    arm('gate:knowledge', 4 * hour);
    clock.advance(minute);
    sleep(8 * hour);
    clock.advance(10_000);
    expect(fired).toHaveLength(1);
  });

  test('is not met by a clock that is set back, but when its time comes', () => {
    const { clock, fired, arm, sleep } = begin();
    arm('quota', minute);
    clock.advance(30_000);
    sleep(-hour);
    clock.advance(hour);
    expect(fired).toEqual([]);
    clock.advance(minute);
    expect(fired).toHaveLength(1);
  });

  test('that is taken back, or set anew, does not come', () => {
    const { clock, fired, timers, arm } = begin();
    arm('quota', minute);
    arm('wip:a', minute);
    clock.advance(59_999);
    timers.disarm('wip:a');
    arm('quota', hour);
    clock.advance(minute);
    expect(fired).toEqual([]);
    timers.disarmAll();
    clock.advance(2 * hour);
    expect(fired).toEqual([]);
  });
});

describe('the time an agent may take', () => {
  test.each(['the machine slept', 'the program was stopped'])(
    'does not go on while %s, and goes on behind a pause with what is left',
    (how) => {
      const { clock, fired, timers, arm, sleep } = begin();
      const began = clock.now();
      const stop = how === 'the machine slept' ? sleep : clock.stall;
      arm('wip:Executor-1', hour);
      clock.advance(20 * minute);
      stop(9 * hour);
      clock.advance(20 * minute);
      expect(fired).toEqual([]);
      timers.disarm('wip:Executor-1');
      clock.advance(hour);
      timers.arm('wip:Executor-1', began + 2 * hour);
      clock.advance(19 * minute);
      expect(fired).toEqual([]);
      clock.advance(minute);
      expect(fired.map(({ timer }) => timer)).toEqual(['wip:Executor-1']);
    },
  );

  test('is not over before it was heard that the agent has ended', () => {
    const { clock, fired, timers, arm } = begin();
    arm('wip:Executor-1', minute);
    clock.advance(minute - 1);
    clock.stall(1_000);
    // What came meanwhile is read behind the timers.
    clock.after(0, () => timers.disarm('wip:Executor-1'));
    clock.advance(minute);
    expect(fired).toEqual([]);
  });
});
