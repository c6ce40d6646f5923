import type { Clock } from '../../base/clock.ts';

/** Yields to other work when a time slice is used up. Call it between pieces of long work. */
export type Pause = () => Promise<void>;

/** Shorter than a frame, so that a scan does not delay key presses. */
const sliceMs = 8;

/** Throws the reason of `signal` after its abort. */
export const createPause = (clock: Clock, signal: AbortSignal): Pause => {
  let begun = clock.monotonic();
  return async () => {
    if (clock.monotonic() - begun < sliceMs) return;
    await new Promise<void>((resolve) => clock.after(0, resolve));
    signal.throwIfAborted();
    begun = clock.monotonic();
  };
};
