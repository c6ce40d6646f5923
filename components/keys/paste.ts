import { act, type CommandEffect, contextOf } from '../command.ts';
import type { ViewState } from '../view.ts';
import { isField, pasteOf, readsItself } from './edit-keys.ts';
import type { KeyPress } from './keys.ts';
import { commandAt } from './press.ts';

/** A paste is text for a field and never a hotkey. Without a field a notice says so. */
export const paste = (view: ViewState, text: string): readonly CommandEffect[] => {
  const edit = pasteOf(contextOf(view), text);
  return edit === null ? say('Pasted text is ignored here') : [act({ type: 'edited', edit })];
};

/** Inserts the text of keys that arrived with a paste. A single key without text gets a notice instead: a person may have pressed it. */
export const pasteKeys = (
  view: ViewState,
  keys: readonly KeyPress[],
  text: string,
): readonly CommandEffect[] => {
  // The field has taken the same read already.
  if (readsItself(contextOf(view))) return [];
  return keys.length === 1 && keys[0]?.text === null
    ? say('That key arrived with pasted text: press it again')
    : paste(view, text);
};

/**
 * Whether keys that arrived in one read were pasted into a terminal that does not mark pastes. People press one key per read, two when they roll
 * them, and one many times when they hold it; movements do no harm. Into a field they may type a line and its Enter while the program is busy,
 * as scripts do. More keys at once come from the clipboard, and their meaning is unknown.
 */
export const isPasted = (view: ViewState, keys: readonly KeyPress[]): boolean => {
  if (keys.length <= 2) return false;
  if (keys.every(({ name }) => name === keys[0]?.name) || keys.every((key) => isMovement(view, key)))
    return false;
  return !isField(contextOf(view)) || keys.slice(0, -1).some(({ text }) => text === null);
};

const isMovement = (view: ViewState, { name }: KeyPress): boolean => commandAt(view, name)?.group === 'Move';

/** Whether more of a paste may follow pasted keys. A long paste takes several reads. Ctrl-C and Backspace arrive alone. */
export const hasTail = (view: ViewState, keys: readonly KeyPress[]): boolean =>
  keys.length >= longInput || !isField(contextOf(view));

/** This many different keys in one read were not typed. The next read may have more. */
const longInput = 256;

const say = (text: string): readonly CommandEffect[] => [
  act({ type: 'noticed', notice: { text, tone: 'info' } }),
];
