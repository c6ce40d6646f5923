import { expect, test } from 'vitest';
import { span } from '../../components/draw/span.ts';
import { wrapLine } from '../../components/draw/wrap-line.ts';

const rows = (text: string, width: number): readonly string[] =>
  wrapLine([span(text)], width).map((row) => row.map((piece) => piece.text).join(''));

test('output is broken exactly, and a row does not begin with the blank between two words', () => {
  expect(rows('aaa bbb ccc', 3)).toEqual(['aaa', 'bbb', 'ccc']);
  expect(rows('aaab bbc', 3)).toEqual(['aaa', 'b b', 'bc']);
});

test('columns of output keep their blanks', () => {
  expect(rows('aaa   b', 3)).toEqual(['aaa', '   ', 'b']);
});
