import { describe, expect, test } from 'vitest';
import { pathGlob, textGlob } from '../../src/base/glob.ts';
import { linearMatcher } from '../../src/base/match/linear-match.ts';
import { processorTime } from '../helpers/processor-time.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';

describe('the automaton', () => {
  const pieces = [
    'a',
    'b',
    '/',
    '[^/]*',
    '[^]*',
    '[^/]',
    '(?:[^/]+/)*',
    '[ab]',
    '[^b]',
    '\\.',
    '(?:a|b/)',
    '(?:/[^]*)?',
    'ä',
  ];
  const letters = ['a', 'b', '/', '.', 'ä'];

  test('agrees with the regular expression of the same source', () => {
    const random = createSeededRandom(7);
    const pick = (from: readonly string[]): string => from[Math.floor(random.next() * from.length)] ?? '';
    const some = (from: readonly string[], most: number): string =>
      Array.from({ length: Math.floor(random.next() * most) }, () => pick(from)).join('');
    let matched = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const source = `^${some(pieces, 7)}$`;
      const expression = new RegExp(source, 'u');
      const automaton = linearMatcher(source);
      for (let index = 0; index < 4; index += 1) {
        const text = some(letters, 6);
        expect([source, text, automaton.test(text)]).toEqual([source, text, expression.test(text)]);
        if (expression.test(text)) matched += 1;
      }
    }
    expect(matched).toBeGreaterThan(500);
  });
});

test.each([
  ['*a*b*c', 'x/1a2b3c', true],
  ['*a*b*c', '1a2b3c4', false],
  ['src/**/a*b*c*.ts', 'src/x/y/a1b2c3.ts', true],
  ['src/**/a*b*c*.ts', 'src/x/a1c3.ts', false],
  ['{*.a,*.b,*.c}', 'x/y.c/inner', true],
  ['{*.a,*.b,*.c}', 'x/y.d', false],
])('many stars mean what few mean: %s and %s', (glob, path, matches) => {
  expect(pathGlob(glob).test(path)).toBe(matches);
});

test.each([
  ['*a'.repeat(30), 'a'.repeat(250)],
  [`${'**/'.repeat(20)}x`, 'a/'.repeat(1_000)],
  ['{*a,*b}'.repeat(20), 'ab'.repeat(120)],
  ['a**'.repeat(40), `${'a'.repeat(3_000)}b/`],
  ['*'.repeat(100_000), 'a'.repeat(100)],
])('no pattern is slow: %#', (glob, path) => {
  const slow = processorTime(
    () => void [pathGlob(glob).test(`${path}!`), textGlob(glob).test(`${path}!`)],
    1,
  );
  expect(slow).toBeLessThan(1_500);
});
