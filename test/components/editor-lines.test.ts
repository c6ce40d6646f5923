import { expect, test } from 'vitest';
import { editorLines } from '../../components/draw/editor-lines.ts';
import { createEditor } from '../../components/keys/line-editor.ts';

const drawn = (text: string, width: number, height = 9): readonly string[] =>
  editorLines(createEditor(text), width, height).map((line) => line.map((piece) => piece.text).join(''));

test('what one writes is broken behind a blank, and only a word that is wider than the field within', () => {
  expect(drawn('the file is declared', 12)).toEqual(['the file ', 'is declared ']);
  expect(drawn('abcdefghijklmnop q', 8)).toEqual(['abcdefg', 'hijklmn', 'op q ']);
});

test('a mark tells that more is above', () => {
  expect(drawn('one two six ten', 6, 2)).toEqual(['…six ', ' ten ']);
  expect(drawn('one two', 6, 1)).toEqual(['…two ']);
});

test('a mark tells that more is below', () => {
  const lines = editorLines({ ...createEditor('one two six ten'), at: 0 }, 6, 2);
  expect(lines.map((line) => line.map(({ text }) => text).join(''))).toEqual([' one ', '…two ']);
});
