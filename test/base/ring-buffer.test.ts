import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRingBuffer } from '../../src/base/ring-buffer.ts';

test('holds the last items, counts what was dropped, and slices as an array of them would', () => {
  const pushes = fc.array(fc.integer(), { maxLength: 40 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      pushes,
      fc.integer({ min: -3, max: 9 }),
      fc.integer({ min: -3, max: 9 }),
      (capacity, items, from, to) => {
        const buffer = createRingBuffer<number>(capacity);
        const kept: number[] = [];
        for (const item of items) {
          const gone = buffer.push(item);
          kept.push(item);
          expect(gone).toBe(kept.length > capacity ? kept.shift() : undefined);
        }
        expect(buffer.slice()).toEqual(kept);
        expect(buffer.slice(from, to)).toEqual(kept.slice(Math.max(0, from), Math.max(0, to)));
        expect(buffer.at(from)).toBe(from < 0 ? undefined : kept[from]);
        expect([buffer.size(), buffer.dropped()]).toEqual([kept.length, items.length - kept.length]);
        buffer.clear();
        expect([buffer.slice(), buffer.size(), buffer.dropped()]).toEqual([[], 0, 0]);
      },
    ),
  );
});

test('has a capacity of at least one', () => {
  for (const capacity of [0, -1, 1.5, Number.NaN])
    expect(() => createRingBuffer(capacity)).toThrow(RangeError);
});
