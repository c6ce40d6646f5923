import type { Random } from '../../src/base/random.ts';

/** Random names and choices of which one seed is one sequence. */
export interface SeededRandom extends Random {
  /** 0 to 1, without 1. */
  next(): number;
  /** A whole number from 0 to `n - 1`. */
  int(n: number): number;
  pick<T>(items: readonly T[]): T;
  /** True with probability `p`. */
  chance(p: number): boolean;
  shuffle<T>(items: readonly T[]): T[];
}

/** Mulberry32: 32 bits of state, good enough to mix up a simulation. */
export const createSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (n: number): number => Math.floor(next() * n);
  return {
    next,
    int,
    hex: (length) => Array.from({ length }, () => int(16).toString(16)).join(''),
    pick: (items) => {
      const item = items[int(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    chance: (p) => next() < p,
    shuffle: (items) => {
      const left = [...items];
      return items.flatMap(() => left.splice(int(left.length), 1));
    },
  };
};
