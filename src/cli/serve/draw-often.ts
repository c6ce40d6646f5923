import type { Clock } from '../../base/clock.ts';

/** Draws again after a change, neither too often nor for more than a part of a core. */
export interface Drawing {
  /** Something changed. */
  readonly dirty: () => void;
  readonly stop: () => void;
}

interface Pace {
  /** Milliseconds between two times at least. */
  readonly everyMs: number;
  /** Rests this many times as long as the last time took. */
  readonly rest: number;
}

export const drawOften = (clock: Clock, { everyMs, rest }: Pace, draw: () => void): Drawing => {
  let cancel: (() => void) | null = null;
  let from = 0;
  const now = (): void => {
    cancel = null;
    const began = clock.monotonic();
    draw();
    const ended = clock.monotonic();
    from = ended + Math.max(everyMs, (ended - began) * rest);
  };
  return {
    dirty: () => {
      cancel ??= clock.after(Math.max(0, from - clock.monotonic()), now);
    },
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
};
