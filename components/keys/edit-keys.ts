import type { Context } from '../command.ts';
import type { ViewState } from '../view.ts';
import type { KeyPress } from './keys.ts';
import type { Edit } from './line-editor.ts';

/** Keys of every text field; a command of the field's context goes first. Help shows them in one line. */
export const editKeys: Readonly<Record<string, Edit>> = {
  backspace: { type: 'delete', what: 'left' },
  delete: { type: 'delete', what: 'right' },
  'ctrl-h': { type: 'delete', what: 'left' },
  'ctrl-w': { type: 'delete', what: 'word-left' },
  'alt-backspace': { type: 'delete', what: 'word-left' },
  'ctrl-u': { type: 'delete', what: 'to-start' },
  'ctrl-k': { type: 'delete', what: 'to-end' },
  left: { type: 'move', to: 'left' },
  right: { type: 'move', to: 'right' },
  'ctrl-b': { type: 'move', to: 'left' },
  'ctrl-f': { type: 'move', to: 'right' },
  'ctrl-left': { type: 'move', to: 'word-left' },
  'ctrl-right': { type: 'move', to: 'word-right' },
  'alt-left': { type: 'move', to: 'word-left' },
  'alt-right': { type: 'move', to: 'word-right' },
  'alt-b': { type: 'move', to: 'word-left' },
  'alt-f': { type: 'move', to: 'word-right' },
  home: { type: 'move', to: 'home' },
  end: { type: 'move', to: 'end' },
  'ctrl-a': { type: 'move', to: 'home' },
  'ctrl-e': { type: 'move', to: 'end' },
};

/** The key for a new line in a field of several, as it is shown. */
export const newLineKey = 'ctrl-j';

const multiline: readonly Context[] = ['compose', 'talk'];
const fields: readonly Context[] = [
  'compose',
  'prompt',
  'palette',
  'start',
  'confirm',
  'knowledge-asking',
  'answer',
  'help-filter',
  'form-words',
  'talk',
];

/** Fields that read the keys by themselves (`ink-text-input`): here their keys are only kept from being hotkeys. */
export const readsItself = (context: Context): boolean => context === 'help-filter';

/** Keys that a field keeps for itself, whatever somebody would bind to them there. */
export const isEditKey = (context: Context, key: string): boolean =>
  isField(context) &&
  (/^(?:.|space)$/u.test(key) ||
    editKeys[key] !== undefined ||
    (multiline.includes(context) && [newLineKey, 'alt-enter', 'up', 'down'].includes(key)));

/** Whether text typed now goes into a field. */
export const isField = (context: Context): boolean => fields.includes(context);

/** What a key does to the field that has the keys, or `null`. */
export const editOf = (view: ViewState, context: Context, key: KeyPress): Edit | null => {
  if (!isField(context) || readsItself(context)) return null;
  if (key.text !== null) return { type: 'insert', text: key.text };
  if (multiline.includes(context)) {
    if (key.name === newLineKey || key.name === 'alt-enter') return { type: 'insert', text: '\n' };
    if (key.name === 'up' || key.name === 'down') return { type: key.name, history: view.ui.history };
  }
  return editKeys[key.name] ?? null;
};

/** A paste as it enters a field: a one-line field takes the line breaks as blanks. */
export const pasteOf = (context: Context, text: string): Edit | null => {
  if (!isField(context) || readsItself(context)) return null;
  return { type: 'insert', text: multiline.includes(context) ? text : text.replace(/\s*[\r\n]+\s*/g, ' ') };
};
