import type { Cancel, Clock } from '../base/clock.ts';

/** What was typed right behind a paste came with it: a clipboard can hold the end of a paste and keys behind it, and long ones come in many reads. */
export interface PasteTail {
  readonly isOpen: () => boolean;
  /** What comes within this time from now belongs to the paste. Extends, never shortens. */
  readonly keepOpen: (how: keyof typeof quietMs) => void;
}

/**
 * Milliseconds without input that end a paste: no person presses a key so soon behind a whole one, and a clipboard that was caught holding keys
 * gets the time a busy machine may need for the next read.
 */
const quietMs = { whole: 50, caught: 250 } as const;

/** Silence is time in which the input was looked at and held nothing, not time this program was kept from looking. */
export const createPasteTail = (clock: Clock): PasteTail => {
  let until = Number.NEGATIVE_INFINITY;
  let cancel: Cancel | null = null;
  return {
    isOpen: () => cancel !== null,
    keepOpen: (how) => {
      const now = clock.monotonic();
      until = Math.max(until, now + quietMs[how]);
      cancel?.();
      cancel = clock.after(until - now, () => {
        // Timers come before reads: what has long been waiting to be read is read now.
        cancel = clock.after(0, () => {
          cancel = null;
        });
      });
    },
  };
};
