import type { Cancel, Clock } from '../../src/base/clock.ts';

/**
 * Keys typed right after a paste belong to it: a clipboard can hold the end of a paste and keys after it. A long paste also takes
 * several reads.
 */
interface PasteTail {
  readonly isOpen: () => boolean;
  /** A paste ended a moment ago. Several keys in one read may be its rest even where the terminal marks pastes: a clipboard can end the mark itself. */
  readonly isNear: () => boolean;
  /** Input within this time from now belongs to the paste. Extends the time, never shortens it. */
  readonly keepOpen: (how: keyof typeof quietMs) => void;
}

/**
 * Milliseconds without input that end a paste. `whole`: no person presses a key so soon after a complete one. `caught`: a clipboard that held keys
 * gets the time a busy machine may need for the next read.
 */
const quietMs = { whole: 50, caught: 250 } as const;

/** Milliseconds. A slow writer may need that long for the rest of a clipboard. */
const nearMs = 1_000;

/** Silence counts only while the program reads its input and finds none, not while it is too busy to read. */
export const createPasteTail = (clock: Clock): PasteTail => {
  let until = Number.NEGATIVE_INFINITY;
  let cancel: Cancel | null = null;
  return {
    isOpen: () => cancel !== null,
    isNear: () => clock.monotonic() < until + nearMs,
    keepOpen: (how) => {
      const now = clock.monotonic();
      until = Math.max(until, now + quietMs[how]);
      cancel?.();
      cancel = clock.after(until - now, () => {
        // Timers run before reads: this lets input that has been waiting be read first.
        cancel = clock.after(0, () => {
          cancel = null;
        });
      });
    },
  };
};
