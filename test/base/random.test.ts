import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/hash.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';

test('random names have the length asked for and do not repeat', () => {
  for (const random of [createRandom(), createSeededRandom(1)]) {
    for (const length of [0, 1, 7, 16, 33])
      expect(random.hex(length)).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
    expect(new Set(Array.from({ length: 1_000 }, () => random.hex(16))).size).toBe(1_000);
  }
});

test('one seed is one sequence, another seed another', () => {
  const draw = (seed: number): number[] => {
    const random = createSeededRandom(seed);
    return Array.from({ length: 20 }, () => random.int(1_000));
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('seeded choices stay in bounds and reach everything', () => {
  const random = createSeededRandom(3);
  expect(new Set(Array.from({ length: 200 }, () => random.int(5)))).toEqual(new Set([0, 1, 2, 3, 4]));
  expect(new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
  expect(random.shuffle([1, 2, 3, 4, 5]).sort()).toEqual([1, 2, 3, 4, 5]);
  expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
  expect(() => random.pick([])).toThrow(RangeError);
});

test('SHA-256 of text is that of its UTF-8 bytes', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('ä')).toBe(sha256(Uint8Array.of(0xc3, 0xa4)));
});
