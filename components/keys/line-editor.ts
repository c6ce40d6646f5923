import { graphemes, words } from '../../src/base/segmenters.ts';

/**
 * A text field as plain data and pure edits. An emoji or a letter with combining marks is one step and one deletion.
 * Multi-line. Several edits in one tick add up because each works on the value before it (components/README.md, Ink 8).
 */
export interface Editor {
  readonly text: string;
  /** UTF-16 offset in `text`, always at a grapheme boundary. */
  readonly at: number;
  /** Position of ↑ in the history, counted from the newest. `null` while the person's own text is shown. */
  readonly recall: number | null;
  /** The person's own text while the history is shown. */
  readonly kept: string;
}

export type Edit =
  | { readonly type: 'insert'; readonly text: string }
  | { readonly type: 'delete'; readonly what: 'left' | 'right' | 'word-left' | 'to-start' | 'to-end' }
  | { readonly type: 'move'; readonly to: 'left' | 'right' | 'word-left' | 'word-right' | 'home' | 'end' }
  | { readonly type: 'up' | 'down'; readonly history: readonly string[] }
  /** Replaces the whole text, after `$EDITOR` closed. */
  | { readonly type: 'set'; readonly text: string };

/** Longest text kept: a signal file holds 16 KiB (src/signals/README.md, rule 3), and quoting takes part of it. */
export const maxEditorLength = 12_000;

/** A field with `text` and the cursor at its end. */
export const createEditor = (text = ''): Editor => ({ text, at: text.length, recall: null, kept: '' });

/** The field after one edit. */
export const applyEdit = (editor: Editor, edit: Edit): Editor => {
  switch (edit.type) {
    case 'insert':
      return insert(editor, edit.text);
    case 'delete':
      return remove(editor, edit.what);
    case 'move':
      return { ...editor, at: target(editor, edit.to) };
    case 'set':
      return insert(createEditor(), edit.text);
    case 'up':
      return lineStart(editor) === 0
        ? recall(editor, edit.history, (editor.recall ?? -1) + 1)
        : vertical(editor, -1);
    case 'down':
      return lineEnd(editor) === editor.text.length
        ? recall(editor, edit.history, (editor.recall ?? 0) - 1)
        : vertical(editor, 1);
  }
};

/** Removes control characters except newlines. A pasted CRLF becomes one newline, a tab two blanks. */
const insert = (editor: Editor, raw: string): Editor => {
  const clean = raw
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
    .slice(0, Math.max(0, maxEditorLength - editor.text.length));
  const text = editor.text.slice(0, editor.at) + clean + editor.text.slice(editor.at);
  return { ...editor, text, at: boundary(text, editor.at + clean.length), recall: null };
};

const remove = (editor: Editor, what: Extract<Edit, { type: 'delete' }>['what']): Editor => {
  const ends = {
    left: () => [previous(editor.text, editor.at), editor.at],
    right: () => [editor.at, next(editor.text, editor.at)],
    'word-left': () => [wordLeft(editor.text, editor.at), editor.at],
    'to-start': () => [lineStart(editor), editor.at],
    'to-end': () => [editor.at, lineEnd(editor)],
  } as const;
  const [from = 0, to = 0] = ends[what]();
  const text = editor.text.slice(0, from) + editor.text.slice(to);
  return { ...editor, text, at: boundary(text, from), recall: null };
};

const target = (editor: Editor, to: Extract<Edit, { type: 'move' }>['to']): number => {
  switch (to) {
    case 'left':
      return previous(editor.text, editor.at);
    case 'right':
      return next(editor.text, editor.at);
    case 'word-left':
      return wordLeft(editor.text, editor.at);
    case 'word-right':
      return wordRight(editor.text, editor.at);
    case 'home':
      return lineStart(editor);
    case 'end':
      return lineEnd(editor);
  }
};

/** Shows entry `index` of the history, newest first. Below 0 the person's own text returns. */
const recall = (editor: Editor, history: readonly string[], index: number): Editor => {
  const kept = editor.recall === null ? editor.text : editor.kept;
  if (editor.recall === null && index < 0) return editor;
  if (index < 0) return { text: kept, at: kept.length, recall: null, kept: '' };
  const entry = history[history.length - 1 - index];
  return entry === undefined ? editor : { text: entry, at: entry.length, recall: index, kept };
};

const vertical = (editor: Editor, by: -1 | 1): Editor => {
  const column = editor.at - lineStart(editor);
  const edge = by < 0 ? lineStart(editor) - 1 : lineEnd(editor) + 1;
  const other = { ...editor, at: Math.max(0, edge) };
  const at = Math.min(lineStart(other) + column, lineEnd(other));
  return { ...editor, at: boundary(editor.text, at) };
};

const lineStart = (editor: Editor): number =>
  editor.at === 0 ? 0 : editor.text.lastIndexOf('\n', editor.at - 1) + 1;

const lineEnd = (editor: Editor): number => {
  const found = editor.text.indexOf('\n', editor.at);
  return found === -1 ? editor.text.length : found;
};

/** The start of the grapheme that covers `at`, or `at` itself when it is a boundary. */
const boundary = (text: string, at: number): number =>
  at >= text.length ? text.length : (graphemes.segment(text).containing(at)?.index ?? at);

const previous = (text: string, at: number): number =>
  at === 0 ? 0 : (graphemes.segment(text).containing(at - 1)?.index ?? at - 1);

const next = (text: string, at: number): number => {
  const here = graphemes.segment(text).containing(at);
  return here ? here.index + here.segment.length : text.length;
};

const wordLeft = (text: string, at: number): number => {
  const starts = [...words.segment(text.slice(0, at))].filter((part) => part.isWordLike);
  return starts.at(-1)?.index ?? 0;
};

const wordRight = (text: string, at: number): number => {
  for (const part of words.segment(text.slice(at)))
    if (part.isWordLike) return at + part.index + part.segment.length;
  return text.length;
};
