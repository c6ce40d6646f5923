import type { Cancel, Clock } from '../base/clock.ts';

/** Deadlines as absolute instants: they run on while the machine sleeps, and a stepped clock only makes them look again. */
export interface Timers {
  arm(timer: string, atMs: number): void;
  disarm(timer: string): void;
  disarmAll(): void;
}

/** A timer of the platform holds 2^31 ms at most; far deadlines are looked at once a day. */
const longestWait = 24 * 3_600_000;

export const createTimers = (ports: {
  readonly clock: Clock;
  readonly later: (ms: number, work: () => void) => Cancel;
  readonly fired: (timer: string) => void;
}): Timers => {
  const armed = new Map<string, Cancel>();

  const disarm = (timer: string): void => {
    armed.get(timer)?.();
    armed.delete(timer);
  };

  const arm = (timer: string, atMs: number): void => {
    disarm(timer);
    const wait = Math.min(Math.max(0, atMs - ports.clock.now()), longestWait);
    armed.set(
      timer,
      ports.later(wait, () => {
        if (ports.clock.now() < atMs) return arm(timer, atMs);
        armed.delete(timer);
        ports.fired(timer);
      }),
    );
  };

  return {
    arm,
    disarm,
    disarmAll: () => {
      for (const timer of [...armed.keys()]) disarm(timer);
    },
  };
};
