import type { ViewState } from '../store/view.ts';
import { act, contextOf, type Doing } from './command.ts';
import { isField, pasteOf } from './edit-keys.ts';
import type { KeyPress } from './keys.ts';

/** A paste is text for a field and never a hotkey; where there is no field, that is said. */
export const paste = (view: ViewState, text: string): readonly Doing[] => {
  const edit = pasteOf(contextOf(view), text);
  return edit === null
    ? say('Pasted text goes nowhere here: nothing was done')
    : [act({ type: 'edited', edit })];
};

/** Keys that came with a paste: their text, and where they have none a word to whoever did press one that soon. */
export const pasteKeys = (view: ViewState, keys: readonly KeyPress[], text: string): readonly Doing[] =>
  keys.length === 1 && keys[0]?.text === null
    ? say('That key came together with pasted text: press it again')
    : paste(view, text);

/**
 * Whether keys that came in one read were pasted into a terminal that does not tell (no bracketed paste). People press one key a read, two where
 * they roll them, and one many times where they hold it. Into a field they may have typed a line and its Enter while the program was busy, as
 * scripts do; more at once is the clipboard, and nobody knows which keys it meant.
 */
export const isPasted = (view: ViewState, keys: readonly KeyPress[]): boolean => {
  if (keys.length <= 2) return false;
  if (keys.length < longInput && keys.every(({ name }) => name === keys[0]?.name)) return false;
  return !isField(contextOf(view)) || keys.slice(0, -1).some(({ text }) => text === null);
};

/** Whether more of the same paste may come behind keys that were pasted: what is long takes several reads, and Ctrl-C and Backspace stand alone. */
export const hasTail = (view: ViewState, keys: readonly KeyPress[]): boolean =>
  keys.length >= longInput || !isField(contextOf(view));

/** Keys in one read that nobody typed or held: more of them may be in the next. */
const longInput = 256;

const say = (text: string): readonly Doing[] => [act({ type: 'noticed', notice: { text, tone: 'info' } })];
