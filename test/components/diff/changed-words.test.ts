import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedWords, type Range } from '../../../src/words/diff/changed-words.ts';

const cut = (text: string, ranges: readonly Range[]): readonly string[] =>
  ranges.map(({ from, to }) => text.slice(from, to));

const words = (before: string, after: string) => {
  const changed = changedWords(before, after);
  return [cut(before, changed.before), cut(after, changed.after)];
};

test('words stand out that differ, blanks between two of them too', () => {
  expect(words('const hi = "hi";', 'const hi = "hello";')).toEqual([['hi'], ['hello']]);
  expect(words('return one two;', 'return three four;')).toEqual([['one two'], ['three four']]);
  expect(words('call(a, b)', 'call(a, extra, b)')).toEqual([[], ['extra, ']]);
  expect(words('größe = 1 + alt', 'größe = 2 + neu')).toEqual([
    ['1', 'alt'],
    ['2', 'neu'],
  ]);
  expect(words('  indented', '    indented')).toEqual([['  '], ['    ']]);
});

test('in lines that have little in common nothing stands out', () => {
  expect(words('alpha beta gamma', 'export const other = 1;')).toEqual([[], []]);
  expect(words('', 'new')).toEqual([[], []]);
});

test('a line of thousands of words is compared at its ends only, at once', () => {
  const long = Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(' ');
  const before = `same ${long} same`;
  const after = `same ${long.replaceAll('w', 'v')} same`;
  expect(words(`${before}${'x'.repeat(9_000)}`, `${after}${'x'.repeat(9_000)}`)[0]).toHaveLength(1);
});

test('whatever the lines are: without what stands out both are the same, but for blanks', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'word', ' ', '  ', '.', '語', '\u{1F600}'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [before, after] = [one.join(''), other.join('')];
      const changed = changedWords(before, after);
      if (changed.before.length + changed.after.length === 0) return;
      const rest = (whole: string, ranges: readonly Range[]): string =>
        ranges
          .toReversed()
          .reduce((left, { from, to }) => left.slice(0, from) + left.slice(to), whole)
          .replace(/\s/g, '');
      expect(rest(before, changed.before)).toBe(rest(after, changed.after));
    }),
  );
});
