import { expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';

/** What a clock under test needs besides: a way to let time pass. */
export interface ClockUnderTest {
  readonly clock: Clock;
  readonly pass: (ms: number) => Promise<void>;
}

/** Every promise of `Clock`, checked on the real and on the manual one. */
export const checkClock = (make: () => ClockUnderTest): void => {
  test('runs timers once, in the order they fall due', async () => {
    const { clock, pass } = make();
    const ran: string[] = [];
    clock.after(20, () => ran.push('later'));
    clock.after(1, () => ran.push('sooner'));
    expect(ran).toEqual([]);
    await pass(60);
    expect(ran).toEqual(['sooner', 'later']);
    await pass(30);
    expect(ran).toHaveLength(2);
  });

  test('runs what is to be done at once not within the call, and not later than what is asked for then', async () => {
    const { clock, pass } = make();
    const ran: string[] = [];
    // Whether it comes before a timer that falls due in the same moment depends on how busy the machine is.
    clock.after(0, () => {
      ran.push('at once');
      clock.after(0, () => ran.push('then'));
    });
    expect(ran).toEqual([]);
    await pass(20);
    expect(ran).toEqual(['at once', 'then']);
  });

  test('runs timers of one moment in the order they were set', async () => {
    const { clock, pass } = make();
    const ran: number[] = [];
    for (const name of [1, 2, 3]) clock.after(5, () => ran.push(name));
    await pass(20);
    expect(ran).toEqual([1, 2, 3]);
  });

  test('does not run a timer that was cancelled, even by another timer', async () => {
    const { clock, pass } = make();
    const ran: string[] = [];
    const cancel = clock.after(10, () => ran.push('never'));
    const alsoCancel = clock.after(0, () => ran.push('nor this'));
    alsoCancel();
    clock.after(1, cancel);
    await pass(40);
    cancel();
    expect(ran).toEqual([]);
  });

  test('runs timers that a timer sets', async () => {
    const { clock, pass } = make();
    let ran = 0;
    const tick = (): void => {
      ran += 1;
      if (ran < 4) clock.after(2, tick);
    };
    clock.after(2, tick);
    await pass(100);
    expect(ran).toBe(4);
  });

  test('moves both of its times on', async () => {
    const { clock, pass } = make();
    const before = { wall: clock.now(), steady: clock.monotonic() };
    await pass(15);
    expect(clock.now() - before.wall).toBeGreaterThanOrEqual(14);
    expect(clock.monotonic() - before.steady).toBeGreaterThanOrEqual(14);
  });

  test('knows the offset of a moment in whole minutes', () => {
    const { clock } = make();
    const offset = clock.offsetMinutes(Date.UTC(2026, 0, 1));
    expect(Number.isInteger(offset)).toBe(true);
    expect(Math.abs(offset)).toBeLessThanOrEqual(14 * 60);
  });

  test('does not fire a wait of months at once', async () => {
    const { clock, pass } = make();
    let fired = false;
    const cancel = clock.after(100 * 24 * 3_600_000, () => {
      fired = true;
    });
    await pass(10);
    cancel();
    expect(fired).toBe(false);
  });
};
