import { isFormWords } from './form/form-view.ts';
import type { InLines } from './in-lines.ts';
import type { OverlayKind } from './overlay.ts';
import type { Intent } from './ports/intent.ts';
import type { TerminalRequest } from './ports/terminal-port.ts';
import { digitsChoose } from './question/select-question.ts';
import type { UiAction } from './ui-action.ts';
import type { ViewState } from './view.ts';

/**
 * A hotkey as data: one entry in `commands/<area>.ts`. Footer, help and the README's table are made from the entries, so nothing is
 * advertised that has no handler (src/README.md, "How to add a thing").
 */
export interface Command {
  readonly id: string;
  readonly context: Context;
  /** Key names as `keysOf` gives them: `p`, `A`, `ctrl-u`, `pageup`, `enter`. Empty: it is in the palette alone, unless `ui.keys` gives it a key. */
  readonly keys: readonly string[];
  /** One or two words for the footer; may tell what the key does just now ("resume"). */
  readonly label: string | ((view: ViewState) => string);
  /** One line for help and README. */
  readonly description: string;
  readonly group: Group;
  readonly inLines: InLines;
  /** Place in the footer, lowest first; absent = only in help. */
  readonly footer?: number;
  /**
   * Not `true` where the key may be pressed, and most likely has nothing to do: the palette shows a reason. Absent = worth its place wherever it
   * is available.
   */
  readonly offered?: (view: ViewState) => boolean | string;
  /** Where this is false, the key belongs to the next context. Absent = always. */
  readonly only?: (view: ViewState) => boolean;
  /** `true`, or the reason why not, as a sentence for the person who pressed it. */
  readonly available: (view: ViewState) => true | string;
  readonly run: (view: ViewState) => readonly CommandEffect[];
}

/** Where a key counts: over the panes, or in the topmost overlay. */
export type Context =
  | 'main'
  | 'replay'
  | OverlayKind
  | 'knowledge-asking'
  | 'answer-choice'
  | 'here'
  | 'help-filter'
  | 'form-words'
  | 'everywhere';

export type Group = 'Steer' | 'Look' | 'Move' | 'Write' | 'Decide' | 'Arrive' | 'Leave';

/** What a key comes to: something on this screen, something asked of the run, or of the person's own terminal. */
export type CommandEffect =
  | { readonly kind: 'act'; readonly action: UiAction }
  | { readonly kind: 'perform'; readonly intent: Intent }
  | { readonly kind: 'terminal'; readonly request: TerminalRequest };

export const act = (action: UiAction): CommandEffect => ({ kind: 'act', action });
export const perform = (intent: Intent): CommandEffect => ({ kind: 'perform', intent });
export const terminal = (request: TerminalRequest): CommandEffect => ({ kind: 'terminal', request });
/** The item of the queue below, if there is one, is answered: the cursor goes to the next. Before what is performed, which may settle the item at once. */
export const needAnswered = act({ type: 'need-answered' });
export const always = (): true => true;

/** The context whose commands have the keys now. */
export const contextOf = (view: ViewState): Context => {
  const top = view.ui.overlays.at(-1);
  if (top === undefined) return 'main';
  if (top.kind === 'help' && top.filter?.focused) return 'help-filter';
  if (top.kind === 'form' && isFormWords(top)) return 'form-words';
  return top.kind === 'knowledge' && top.asking !== null ? 'knowledge-asking' : top.kind;
};

/**
 * All contexts whose commands have the keys now, the first one first: the playback's or what is asked over the panes, the digits of choices over an empty field. What
 * counts everywhere comes last.
 */
export const contextsOf = (view: ViewState): readonly Context[] => [...placesOf(view), 'everywhere'];

const placesOf = (view: ViewState): readonly Context[] => {
  const context = contextOf(view);
  if (context === 'main') return [view.replay !== null ? 'replay' : 'here', 'main'];
  return context === 'answer' && digitsChoose(view) ? ['answer-choice', 'answer'] : [context];
};

/** What is worth doing now, most important first: what the footer shows, and help before all else. */
export const offeredNow = (commands: readonly Command[], view: ViewState): readonly Command[] => {
  const contexts = contextsOf(view);
  return commands
    .filter(({ context, footer }) => footer !== undefined && contexts.includes(context))
    .filter((command) => command.available(view) === true && (command.offered?.(view) ?? true) === true)
    .sort((a, b) => (a.footer ?? 0) - (b.footer ?? 0));
};

/** Why the command does nothing now; `null` when it may. */
export const reasonNot = (command: Command, view: ViewState): string | null => {
  const able = command.available(view);
  const offered = able === true ? (command.offered?.(view) ?? true) : able;
  return typeof offered === 'string' ? offered : null;
};

export const labelOf = (command: Command, view: ViewState): string =>
  typeof command.label === 'string' ? command.label : command.label(view);

/** Closes the overlay on top. Without anything below it the screen closes too. `first`: what happens before, where something stays. */
export const closeOverlay = (
  { session, ui }: ViewState,
  first: readonly CommandEffect[] = [],
): readonly CommandEffect[] =>
  session === null && ui.overlays.length === 1
    ? [perform({ type: 'quit', how: 'close' })]
    : [...first, act({ type: 'overlay-closed' })];
