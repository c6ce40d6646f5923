import type { Event } from '../../pipeline/event.ts';

/** One part of the statistics. */
export interface Counter<T> {
  readonly begin: () => void;
  readonly take: (event: Event, ms: number) => void;
  readonly result: () => T;
}

/** A part of a whole. The rate is `null` where there is no whole. */
export interface Rate {
  readonly count: number;
  readonly of: number;
  readonly rate: number | null;
}

export const rateOf = (count: number, of: number): Rate => ({
  count,
  of,
  rate: of === 0 ? null : count / of,
});
