import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEdit,
  createEditor,
  type Edit,
  type Editor,
  maxEditorLength,
} from '../../components/keys/line-editor.ts';

const edited = (start: Editor, ...edits: readonly Edit[]): Editor => edits.reduce(applyEdit, start);
const insert = (text: string): Edit => ({ type: 'insert', text });
const left: Edit = { type: 'delete', what: 'left' };
const family = '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}';

describe('the line editor', () => {
  test('keeps every character of several that arrive in one tick', () => {
    expect(edited(createEditor(), insert('a'), insert('b'), insert('c')).text).toBe('abc');
  });

  test('deletes a whole emoji, a flag and a letter with its combining mark, each at once', () => {
    expect(edited(createEditor(`x${family}`), left).text).toBe('x');
    expect(edited(createEditor('x\u{1F1FB}\u{1F1F3}'), left).text).toBe('x');
    expect(edited(createEditor('xe\u0301'), left).text).toBe('x');
  });

  test('moves over a wide cluster in one step and inserts before it', () => {
    const editor = edited(
      createEditor(`a${family}b`),
      { type: 'move', to: 'left' },
      { type: 'move', to: 'left' },
    );
    expect(edited(editor, insert('!')).text).toBe(`a!${family}b`);
  });

  test('moves and deletes by words', () => {
    const editor = createEditor('use bar instead');
    expect(edited(editor, { type: 'delete', what: 'word-left' }).text).toBe('use bar ');
    expect(edited(editor, { type: 'move', to: 'home' }, { type: 'move', to: 'word-right' }).at).toBe(3);
    expect(edited(editor, { type: 'move', to: 'word-left' }).at).toBe(8);
  });

  test('home, end and deleting to them stay inside the line of a text with several', () => {
    const editor = createEditor('one\ntwo three');
    expect(edited(editor, { type: 'move', to: 'home' }).at).toBe(4);
    expect(edited(editor, { type: 'delete', what: 'to-start' }).text).toBe('one\n');
    expect(edited(editor, { type: 'move', to: 'home' }, { type: 'delete', what: 'to-end' }).text).toBe(
      'one\n',
    );
  });

  test('up and down walk the lines first and the history at their ends, and bring one’s own text back', () => {
    const history = ['first', 'second'];
    const typed = createEditor('mine');
    const second = edited(typed, { type: 'up', history });
    expect(second.text).toBe('second');
    expect(edited(second, { type: 'up', history }).text).toBe('first');
    expect(edited(second, { type: 'up', history }, { type: 'up', history }).text).toBe('first');
    expect(edited(second, { type: 'down', history }).text).toBe('mine');
    const twoLines = edited(createEditor('ab\ncd'), { type: 'up', history });
    expect([twoLines.text, twoLines.at]).toEqual(['ab\ncd', 2]);
  });

  test('takes no control characters from a paste, and one newline for a CRLF', () => {
    expect(edited(createEditor(), insert('a\r\nb\u001b[31mc\u0007\td')).text).toBe('a\nb[31mc  d');
  });

  test('stops at the length a signal file can hold', () => {
    expect(edited(createEditor(), insert('x'.repeat(99_999)), insert('y')).text.length).toBe(maxEditorLength);
  });

  test('the cursor always stands at the edge of a grapheme, whatever is done', () => {
    const edit: fc.Arbitrary<Edit> = fc.oneof(
      fc.constantFrom('a', ' ', '\n', '日本', family, 'e\u0301', '\u0301').map(insert),
      fc
        .constantFrom('left', 'right', 'word-left', 'to-start', 'to-end')
        .map((what): Edit => ({ type: 'delete', what }) as Edit),
      fc
        .constantFrom('left', 'right', 'word-left', 'word-right', 'home', 'end')
        .map((to): Edit => ({ type: 'move', to }) as Edit),
      fc.constantFrom<Edit>({ type: 'up', history: ['h'] }, { type: 'down', history: ['h'] }),
    );
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        const { text, at } = edited(createEditor(), ...edits);
        const edges = [...[...segmenter.segment(text)].map((part) => part.index), text.length];
        expect(edges).toContain(at);
      }),
    );
  });
});
