import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLayered, largeMap, withEntry } from '../../src/pipeline/evolve/layered-map.ts';
import { createOwned, put } from '../../src/pipeline/maps.ts';

const numbered = (count: number): ReadonlyMap<number, string> =>
  new Map(Array.from({ length: count }, (_, index) => [index, `was ${index}`]));

test('a layered map says what a Map would, in the same order, after any writes', () => {
  const write = fc.tuple(fc.nat(40), fc.string());
  fc.assert(
    fc.property(fc.nat(30), fc.array(write, { maxLength: 60 }), (size, writes) => {
      const plain = new Map(numbered(size));
      let layered = numbered(size);
      for (const [key, value] of writes) {
        plain.set(key, value);
        layered = withEntry(layered, key, value);
        expect(layered.size).toBe(plain.size);
        expect(layered.get(key)).toBe(value);
      }
      expect([...layered]).toEqual([...plain]);
      expect([...layered.keys()]).toEqual([...plain.keys()]);
      expect([...layered.values()]).toEqual([...plain.values()]);
      const visited: unknown[] = [];
      layered.forEach((value, key) => {
        visited.push([key, value]);
      });
      expect(visited).toEqual([...plain]);
      expect([...plain.keys(), -1].map((key) => layered.has(key))).toEqual(
        [...plain.keys(), -1].map((key) => plain.has(key)),
      );
    }),
  );
});

test('an earlier map stays as it was', () => {
  const before = withEntry(numbered(300), 5, 'five');
  withEntry(before, 5, 'changed');
  withEntry(before, 900, 'new');
  expect([before.get(5), before.has(900), before.size]).toEqual(['five', false, 300]);
});

test('one event copies no large map, whoever wrote to it before', () => {
  const size = largeMap * 20;
  let map = numbered(size);
  let copies = 0;
  for (let event = 0; event < size; event += 1) {
    map = put(createOwned('one'), map, event, 'done');
    if (!isLayered(map)) copies += 1;
  }
  // One copy each time the layer has grown to the root of the map.
  expect(copies).toBeLessThan(Math.sqrt(size) + 1);
});
