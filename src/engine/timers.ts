import type { Cancel, Clock } from '../base/clock.ts';

/**
 * Deadlines as absolute instants: they run on while the machine sleeps, and a stepped clock only makes them look again. Those of work run while the
 * program does: who slept with it, or was stopped with it, did no work, and did not take too long for it.
 */
export interface Timers {
  arm(timer: string, atMs: number): void;
  disarm(timer: string): void;
  disarmAll(): void;
}

/** Timers of the platform stand still while the machine sleeps: the time of day is looked at this often, so that a deadline that has passed is seen. */
const longestWait = 10_000;

/** A limit of work is looked at this often at least: of a stop of any length one piece counts at most. */
const pieces = 10;

const limitsWork = (timer: string): boolean => timer.startsWith('wip:');

export const createTimers = (ports: {
  readonly clock: Clock;
  readonly later: (ms: number, work: () => void) => Cancel;
  readonly fired: (timer: string) => void;
}): Timers => {
  const { clock, later } = ports;
  const armed = new Map<string, Cancel>();
  /** How long each limit of work stood still. It is kept when work pauses: it goes on under the same name. */
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
        // Timers come before reads: work that has ended in time is heard of first.
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
