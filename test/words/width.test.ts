import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphemesOf, startOf, truncateMiddle, widthOf, wrap } from '../../src/words/width.ts';

test('a path that is too long keeps its end, and the start of it', () => {
  const path = '/home/kim/work/customers/north/services/greetings';
  expect(truncateMiddle(path, 60, '…')).toBe(path);
  expect(truncateMiddle(path, 28, '…')).toBe('/home/kim…services/greetings');
  expect(truncateMiddle(path, 0, '…')).toBe('');
});

test('whatever is cut in its middle fits, wide characters and families included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(40), (text, width) => {
      expect(widthOf(truncateMiddle(text, width, '…'))).toBeLessThanOrEqual(Math.max(width, 0));
    }),
  );
});

test('the start of a text that fits is whole characters, wherever a plain beginning ends', () => {
  const signs = fc.constantFrom(
    'a',
    'b',
    '─',
    'é',
    '\u0301',
    '\ufe0f',
    '漢',
    '\u{1F468}',
    '\u200d',
    '\u{1F467}',
  );
  fc.assert(
    fc.property(
      fc.string({ unit: signs, maxLength: 12 }),
      fc.integer({ min: -1, max: 12 }),
      (text, width) => {
        const parts = graphemesOf(text);
        const fitting = parts.filter((_, at) => widthOf(parts.slice(0, at + 1).join('')) <= width);
        expect(startOf(text, width)).toBe(fitting.join(''));
      },
    ),
  );
});

test('a path that is longer than a row is broken after a folder', () => {
  expect(wrap('in /home/kim/projects/greetings/src', 22)).toEqual([
    'in',
    '/home/kim/projects/',
    'greetings/src',
  ]);
  expect(wrap('/abcdefghijklmnop', 8)).toEqual(['/abcdefg', 'hijklmno', 'p']);
});

test('no row of prose begins with the blanks at which it was broken', () => {
  expect(wrap('aaa bbb  ccc ddd', 3)).toEqual(['aaa', 'bbb', 'ccc', 'ddd']);
  expect(wrap('aaa  ', 3)).toEqual(['aaa']);
  expect(wrap('  aaa bbb', 5)).toEqual(['  aaa', 'bbb']);
});
