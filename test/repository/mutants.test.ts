import { expect, test } from 'vitest';
import { mutantsOf } from '../mutate/mutants.ts';
import { nearTests } from '../mutate/near-tests.ts';

const changed = (source: string): readonly string[] =>
  mutantsOf(source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));

test('the mutants of a source remove a guard, turn a condition, a comparison and a truth value, and drop a call', () => {
  expect(changed('if (a) throw b;')).toEqual(['if (true) throw b;', 'if (false) throw b;']);
  expect(changed('const x: boolean = a === b && c;')).toEqual([
    'const x: boolean = (a) !== (b) && c;',
    'const x: boolean = (a === b) || (c);',
  ]);
  expect(changed('const x = true as const;')).toEqual(['const x = false as const;']);
  expect(changed('const ä = a.filter(b).some(c);')).toEqual([
    'const ä = a.some(c);',
    'const ä = a.filter(b).every(c);',
  ]);
  expect(changed('write(a);\nconst b = 1;')).toEqual([';\nconst b = 1;']);
  expect(changed("type A = 'a' extends 'b' ? true : false;")).toEqual([]);
  expect(mutantsOf('a;\n\nif (b) c;').map(({ line }) => line)).toEqual([3, 3]);
});

test('the tests of a source are those that reach it, by the imports between', () => {
  const distances = nearTests()('src/signals/order.ts');
  const byName = (name: string) => distances.get(`test/${name}.test.ts`);
  expect(byName('signals/order')).toBe(1);
  expect(byName('engine/mailbox')).toBeGreaterThan(1);
  expect(byName('base/glob')).toBeUndefined();
  expect([...distances.keys()].filter((path) => path.startsWith('test/e2e/'))).toEqual([]);
});
