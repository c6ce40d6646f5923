import { expect, test } from 'vitest';
import { editorLines } from '../../components/parts/editor-lines.ts';
import { createEditor } from '../../src/store/text/line-editor.ts';

const drawn = (text: string, width: number): readonly string[] =>
  editorLines(createEditor(text), width, 9).map((line) => line.map((piece) => piece.text).join(''));

test('what one writes is broken behind a blank, and only a word that is wider than the field within', () => {
  expect(drawn('the file is declared', 12)).toEqual(['the file ', 'is declared ']);
  expect(drawn('abcdefghijklmnop q', 8)).toEqual(['abcdefg', 'hijklmn', 'op q ']);
});
