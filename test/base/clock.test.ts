import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/base/clock.io.ts';
import { formatSessionId, formatTimestamp } from '../../src/base/clock.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { checkClock } from './clock-conformance.ts';

describe('the real clock', () => {
  checkClock(() => {
    const clock = createClock();
    return { clock, pass: (ms) => new Promise((resolve) => clock.after(ms, resolve)) };
  });
});

describe('the manual clock', () => {
  checkClock(() => {
    const clock = createManualClock();
    return { clock, pass: clock.advanceAsync };
  });

  test('runs each timer at its own moment', () => {
    const clock = createManualClock({ now: 1_000 });
    const seen: number[] = [];
    for (const ms of [30, 10, 20]) clock.after(ms, () => seen.push(clock.now()));
    clock.advance(25);
    expect(seen).toEqual([1_010, 1_020]);
    expect([clock.now(), clock.untilNext(), clock.armed()]).toEqual([1_025, 5, 1]);
  });

  test('may step back without its timers or durations noticing', () => {
    const clock = createManualClock({ now: 50_000 });
    let fired = false;
    clock.after(10, () => {
      fired = true;
    });
    clock.setNow(1_000);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
    clock.advance(10);
    expect([fired, clock.now(), clock.monotonic()]).toEqual([true, 1_010, 10]);
  });

  test('lets promises settle between timers', async () => {
    const clock = createManualClock();
    const seen: string[] = [];
    clock.after(1, () => {
      void Promise.resolve()
        .then(() => {})
        .then(() => seen.push('promise'));
    });
    clock.after(1, () => seen.push('timer'));
    await clock.advanceAsync(1);
    expect(seen).toEqual(['promise', 'timer']);
  });
});

describe('times for people', () => {
  test('carry the local offset', () => {
    const at = Date.UTC(2026, 1, 15, 3, 15, 0);
    expect(formatTimestamp(createManualClock({ now: at }))).toBe('2026-02-15T10:15:00+07:00');
    expect(formatTimestamp(createManualClock({ now: at, offsetMinutes: -210 }))).toBe(
      '2026-02-14T23:45:00-03:30',
    );
    expect(formatTimestamp(createManualClock({ now: at, offsetMinutes: 0 }))).toBe(
      '2026-02-15T03:15:00+00:00',
    );
    expect(formatSessionId(createManualClock({ now: at }))).toBe('260215-101500');
  });
});
