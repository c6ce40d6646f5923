import { act, type Command, type CommandEffect, type Context, contextOf, contextsOf } from '../command.ts';
import type { ViewState } from '../view.ts';
import { type Bindings, bindingsOf, standardBindings } from './bindings.ts';
import { editOf } from './edit-keys.ts';
import type { KeyPress } from './keys.ts';

/** The effect of a key: its command in the topmost context, an edit of the field there, or nothing. A notice says why a command is not available. */
export const press = (view: ViewState, key: KeyPress): readonly CommandEffect[] => {
  const context = contextOf(view);
  const command = commandAt(view, key.name);
  if (command !== undefined) {
    const available = command.available(view);
    return available === true
      ? command.run(view)
      : [act({ type: 'noticed', notice: { text: available, tone: 'info', refuses: command.id } })];
  }
  const edit = editOf(view, context, key);
  return edit === null ? [] : [act({ type: 'edited', edit })];
};

/** The command of a key here and now. */
export const commandAt = (view: ViewState, key: string): Command | undefined =>
  contextsOf(view)
    .map((each) => commandFor(each, key, bindingsOf(view)))
    .find((found) => found !== undefined && (found.only?.(view) ?? true));

/** The command of a key in a context. */
export const commandFor = (
  context: Context,
  key: string,
  bindings: Bindings = standardBindings(),
): Command | undefined => bindings.byKey.get(`${context} ${key}`);
