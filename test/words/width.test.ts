import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncateMiddle, widthOf, wrap } from '../../src/words/width.ts';

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

test('a path that is longer than a row is broken after a folder', () => {
  expect(wrap('in /home/kim/projects/greetings/src', 22)).toEqual([
    'in',
    '/home/kim/projects/',
    'greetings/src',
  ]);
  expect(wrap('/abcdefghijklmnop', 8)).toEqual(['/abcdefg', 'hijklmno', 'p']);
});
