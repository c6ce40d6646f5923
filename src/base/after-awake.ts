import type { Cancel, Clock } from './clock.ts';

/** The wait runs in pieces, so a suspension of any length replaces at most one piece. */
const pieces = 10;
const longestPieceMs = 10_000;

/**
 * Calls `run` after `ms` of this program's own running time, once pending input has been read. Use it for timeouts on others. After a suspension,
 * a sleep of the machine or heavy load, timers are due before the input that arrived meanwhile is read. A plain timer would then report a timeout
 * for a peer that answered in time. Returns a function that cancels the call.
 */
export const afterAwake = (clock: Pick<Clock, 'after'>, ms: number, run: () => void): Cancel => {
  let cancel: Cancel = () => {};
  const wait = (left: number): void => {
    // Timers run before reads: one more macrotask lets input that has already arrived be read first.
    if (left <= 0) cancel = clock.after(0, run);
    else {
      const piece = Math.min(left, longestPieceMs, Math.ceil(ms / pieces));
      cancel = clock.after(piece, () => wait(left - piece));
    }
  };
  wait(ms);
  return () => cancel();
};

/** Resolves with the work, or after this time awake. Errors of the work are handled elsewhere. */
export const withinMs = (clock: Pick<Clock, 'after'>, ms: number, work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const cancel = afterAwake(clock, ms, resolve);
    work
      .catch(() => {})
      .finally(() => {
        cancel();
        resolve();
      });
  });
