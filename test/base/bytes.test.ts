import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Length } from '../../src/base/bytes.ts';

test('a text takes as many bytes as its encoding has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});
