import type { Cancel, Clock } from '../../src/base/clock.ts';

/** A clock that moves only when a test moves it. */
export interface ManualClock extends Clock {
  /** Moves on by `ms` and runs every timer that falls due, in order, each at its own moment; timers they arm too. */
  advance(ms: number): void;
  /** The same, and lets promises settle after each timer. */
  advanceAsync(ms: number): Promise<void>;
  /** Sets the wall clock, also backwards; timers and `monotonic` do not notice. */
  setNow(ms: number): void;
  /** The program does not run for `ms`: both times go on, and what falls due meanwhile runs late, at the next `advance`. */
  stall(ms: number): void;
  /** Milliseconds until the next timer, or `null` when none is armed. */
  untilNext(): number | null;
  readonly armed: () => number;
}

export interface ManualClockOptions {
  /** Default 2026-02-15T03:15:00Z. */
  readonly now?: number;
  /** Default +07:00. */
  readonly offsetMinutes?: number;
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

export const createManualClock = (options: ManualClockOptions = {}): ManualClock => {
  let wall = options.now ?? Date.UTC(2026, 1, 15, 3, 15, 0);
  let steady = 0;
  let order = 0;
  const timers = new Set<Timer>();

  const nextDue = (): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (!next || timer.due < next.due || (timer.due === next.due && timer.order < next.order)) next = timer;
    }
    return next;
  };
  const moveTo = (moment: number): void => {
    wall += Math.max(0, moment - steady);
    steady = Math.max(steady, moment);
  };
  const runNext = (until: number): boolean => {
    const timer = nextDue();
    if (!timer || timer.due > until) return false;
    timers.delete(timer);
    moveTo(timer.due);
    timer.run();
    return true;
  };
  const after = (ms: number, run: () => void): Cancel => {
    order += 1;
    const timer: Timer = { due: steady + Math.max(0, ms), order, run };
    timers.add(timer);
    return () => {
      timers.delete(timer);
    };
  };

  return {
    now: () => wall,
    monotonic: () => steady,
    offsetMinutes: () => options.offsetMinutes ?? 420,
    after,
    advance: (ms) => {
      const until = steady + ms;
      while (runNext(until)) {}
      moveTo(until);
    },
    advanceAsync: async (ms) => {
      const until = steady + ms;
      await settle();
      while (runNext(until)) await settle();
      moveTo(until);
      await settle();
    },
    setNow: (ms) => {
      wall = ms;
    },
    stall: (ms) => moveTo(steady + ms),
    untilNext: () => {
      const timer = nextDue();
      return timer ? Math.max(0, timer.due - steady) : null;
    },
    armed: () => timers.size,
  };
};

/** A macrotask of the real event loop comes after every promise that can settle by itself. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
