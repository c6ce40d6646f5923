import type { Clock } from './clock.ts';

/** Timers of the runtime accept at most this many milliseconds. A longer wait is split into pieces. */
const longestTimer = 2 ** 31 - 1;

/** The real clock of this machine. */
export const createClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  offsetMinutes: (at) => -new Date(at).getTimezoneOffset(),
  after: (ms, run) => {
    if (ms <= 0) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      timer =
        left > longestTimer
          ? setTimeout(() => wait(left - longestTimer), longestTimer)
          : setTimeout(run, left);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
});
