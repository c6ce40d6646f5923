import type { Cancel, Clock } from './clock.ts';

/** A stop of any length takes the place of one piece at most. */
const pieces = 10;
const longestPieceMs = 10_000;

/**
 * Calls `run` when `ms` have passed in which this program ran, and after it took in what had come by then: for the patience one has with somebody
 * else. A program that was stopped, or a machine that was asleep or had no time for it, finds its timers due before anything is read that came
 * meanwhile, and whoever was in time would be called late. The answer cancels it.
 */
export const afterAwake = (clock: Pick<Clock, 'after'>, ms: number, run: () => void): Cancel => {
  let cancel: Cancel = () => {};
  const wait = (left: number): void => {
    // Timers come before reads: what has long been there to be read is read now.
    if (left <= 0) cancel = clock.after(0, run);
    else {
      const piece = Math.min(left, longestPieceMs, Math.ceil(ms / pieces));
      cancel = clock.after(piece, () => wait(left - piece));
    }
  };
  wait(ms);
  return () => cancel();
};
