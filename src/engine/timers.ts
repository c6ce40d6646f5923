import type { Cancel, Clock } from '../base/clock.ts';

/**
 * Deadlines as absolute instants: they continue while the machine sleeps, and a stepped clock only causes another
 * look. Limits of work count only while the program runs: work that slept or stopped with it did not take too long.
 */
export interface Timers {
  arm(timer: string, atMs: number): void;
  disarm(timer: string): void;
  disarmAll(): void;
}

/** Longest wait in milliseconds. Platform timers stand still while the machine sleeps, so the time of day is checked this often. */
const longestWait = 10_000;

/** Minimum number of looks during a limit of work. A stop of any length then counts as one piece at most. */
const pieces = 10;

const limitsWork = (timer: string): boolean => timer.startsWith('wip:') || timer === 'loop:max_runtime';

export const createTimers = (ports: {
  readonly clock: Clock;
  readonly later: (ms: number, work: () => void) => Cancel;
  readonly fired: (timer: string) => void;
}): Timers => {
  const { clock, later } = ports;
  const armed = new Map<string, Cancel>();
  /** How long each limit of work stood still. Kept while work pauses, because it resumes under the same name. */
  const stoodStill = new Map<string, number>();

  const disarm = (timer: string): void => {
    armed.get(timer)?.();
    armed.delete(timer);
  };

  const fire = (timer: string): void => {
    armed.delete(timer);
    stoodStill.delete(timer);
    ports.fired(timer);
  };

  const arm = (timer: string, atMs: number): void => {
    disarm(timer);
    const ofWork = limitsWork(timer);
    const left = (): number => atMs + (stoodStill.get(timer) ?? 0) - clock.now();
    const piece = ofWork ? Math.ceil(left() / pieces) : longestWait;
    const wait = (): void => {
      const ms = Math.max(0, Math.min(left(), piece, longestWait));
      const due = clock.now() + ms;
      const look = (): void => {
        const late = clock.now() - due;
        if (ofWork && late > 0) stoodStill.set(timer, (stoodStill.get(timer) ?? 0) + late);
        if (left() > 0) wait();
        // Timers fire before reads. This delay lets work that ended in time report first.
        else if (ofWork)
          armed.set(
            timer,
            later(0, () => fire(timer)),
          );
        else fire(timer);
      };
      armed.set(timer, later(ms, look));
    };
    wait();
  };

  return {
    arm,
    disarm,
    disarmAll: () => {
      for (const timer of [...armed.keys()]) disarm(timer);
    },
  };
};
