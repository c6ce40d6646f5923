import { expect, test } from 'vitest';
import { styledLines } from '../../src/words/styled-text.ts';

test('lines that follow one another keep the colour in force, and lose whatever would steer the terminal', () => {
  const lines = styledLines([
    '\u001b[31mred',
    'still red\u001b]52;c;aGVsbG8=\u0007 and safe\u001b[2J\u001b[10;10H',
    '\u001b[1mand bold\u009b31m',
    '\u001b[0mplain\u200f',
    'plain too',
  ]);
  expect(lines.map(({ text }) => text)).toEqual([
    'red',
    'still red and safe',
    'and bold',
    'plain',
    'plain too',
  ]);
  expect(lines.map(({ styles }) => styles.map(({ codes }) => codes).join())).toEqual([
    '31',
    '31',
    '31;1',
    '',
    '',
  ]);
  for (const { text } of lines) expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});
