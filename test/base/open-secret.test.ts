import { describe, expect, it } from 'vitest';
import { createOpenSecret } from '../../src/base/open-secret.ts';

const unfinished = createOpenSecret(['correct horse battery']);

describe('the end of a piece of output', () => {
  it.each([
    ['key: sk-', 3],
    ['key: sk-0123456789abcdefghij', 23],
    ['a gh', 2],
    ['ghp_abc', 7],
    ['AKIAIOSFO', 9],
    ['Authorization: Bearer abc', 10],
    ['postgres://me:pa55', 10],
    ['-----BEGIN RSA PRIV', 19],
    ['it is correct hor', 11],
    ['sk-ab\u001b[31mcd', 12],
    ['red \u001b[3', 3],
  ])('may be the beginning of a secret: %j', (text, characters) => {
    expect(unfinished(text)).toBe(characters);
  });

  it.each([
    '',
    'Continue? [y/N] ',
    'tests',
    'http://localhost:3000',
    'ghp_abc ',
    'sk-0123\n',
    'red \u001b[31m',
  ])('is let go of when it is none: %j', (text) => {
    expect(unfinished(text)).toBe(0);
  });
});
