import type { Core } from '../core.ts';
import { guarded } from './guarded.ts';

/**
 * The ends of messages on their way to disk, in order (src/signals/README.md, rule 7). The journal has the delivery and the carrier of each before it
 * comes here, so that a crash loses none: recovery ends it the same way. Thousands that end at once must not hold up the next task: the first are
 * ended at once, the others a few at a time in later pieces of work.
 */
export interface Backlog {
  /** Runs `work` with the journal on disk: now while none waits, else later. Not at all when the session cannot continue. */
  add(work: () => void): void;
  /** Runs what waits, because nothing is recorded later. What takes longer than `mostMs` is left to the recovery at the next start. */
  drain(mostMs?: number): void;
}

/** How many end in one piece of work: some twenty milliseconds on a fast disk. */
const endsAtOnce = 20;

export const createBacklog = (core: Core): Backlog => {
  const waiting: (() => void)[] = [];
  let room = endsAtOnce;
  let isPlanned = false;

  const run = (most: number): void => {
    if (waiting.length === 0 || !core.loop.flush()) return;
    for (const work of waiting.splice(0, most)) guarded(core, work);
  };

  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    core.loop.later(0, () => {
      isPlanned = false;
      run(endsAtOnce);
      if (waiting.length > 0) plan();
      else room = endsAtOnce;
    });
  };

  return {
    add: (work) => {
      waiting.push(work);
      if (room === 0) return plan();
      room -= 1;
      run(1);
    },
    drain: (mostMs = Number.POSITIVE_INFINITY) => {
      const { clock } = core.options;
      const until = clock.monotonic() + mostMs;
      while (waiting.length > 0 && clock.monotonic() < until && core.loop.flush()) run(endsAtOnce);
    },
  };
};
