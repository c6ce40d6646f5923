import { memoise } from '../src/base/memoise.ts';
import { type Command, contextOf, labelOf, offeredNow } from './command.ts';
import { commands } from './commands.ts';
import type { HelpRow } from './help/help-row.ts';
import { composerKeys, helpRowsOf, keysText } from './help/help-rows.ts';
import { type PaletteRow, paletteRowsOf } from './help/palette-rows.ts';
import { bindingsOf } from './keys/bindings.ts';
import { choiceNames } from './keys/choice-names.ts';
import { keyLabel } from './keys/key-label.ts';
import { nameKeys } from './keys/name-keys.ts';
import { paneCommands } from './pane/pane-keys.ts';
import type { Notice, ViewState } from './view.ts';

export interface Hint {
  /** Id of the command. */
  readonly id: string;
  readonly key: string;
  readonly label: string;
  /** Of the pane with the focus, not of the session. */
  readonly ofPane?: boolean;
}

/** The footer's keys: the session's verbs, three of the pane with the focus, help and quit. Lists only keys with an effect now. */
export const footerHints = memoise((view: ViewState): readonly Hint[] => {
  const { commands: all } = bindingsOf(view);
  const verbs = offeredNow(all, view);
  const own = contextOf(view) === 'main' ? ofPane(all, view, verbs) : [];
  const after = verbs.findIndex(({ id }) => id === 'look.palette');
  const from = after < 0 ? verbs.length : after;
  return [...verbs.slice(0, from), ...own, ...verbs.slice(from)].map((command) => ({
    id: command.id,
    key: keyLabel(command.keys[0] ?? ''),
    label: labelOf(command, view),
    ...(own.includes(command) ? { ofPane: true } : {}),
  }));
});

/** Keys of the pane with the focus that are in the footer. */
const mostOfPane = 3;

const ofPane = (all: readonly Command[], view: ViewState, verbs: readonly Command[]): readonly Command[] =>
  paneCommands(all, view)
    .filter((command) => !verbs.includes(command) && command.available(view) === true)
    .slice(0, mostOfPane);

/** The notice to show. A refusal that no longer holds says something wrong beside what changed. */
export const shownNotice = (view: ViewState): Notice | null => {
  const { notice } = view;
  if (notice?.refuses === undefined) return notice;
  const command = bindingsOf(view).commands.find(({ id }) => id === notice.refuses);
  return command?.available(view) === notice.text ? notice : null;
};

/** The palette's rows for its query. */
export const paletteRows = (view: ViewState): readonly PaletteRow[] =>
  paletteRowsOf(bindingsOf(view).commands, view);

/** The key of a command on this screen, as people write it. */
export const keyFor = (view: ViewState, id: string): string => withKeys(view, `{${id}}`);

/** The key of a numbered choice, in the queue and where it is opened; '' for one without a key. */
export const choiceKey = (view: ViewState, index: number): string =>
  choiceNames[index] === undefined ? '' : keyFor(view, `answer.${choiceNames[index]}`);

/** A sentence with its command ids replaced by this screen's keys. */
export const withKeys = (view: ViewState, text: string): string => nameKeys(text, bindingsOf(view).commands);

export const helpRows = (view: ViewState): readonly HelpRow[] => helpRowsOf(bindingsOf(view).commands, view);

const written: Readonly<Record<string, string>> = {
  compose: 'while writing: ',
  everywhere: '',
  knowledge: 'knowledge gate: ',
  main: '',
  replay: 'replay: ',
};

/** A command on a page. `name`: its id, for `ui.keys`; '' where the key cannot be changed. */
interface KeyRow {
  readonly keys: string;
  readonly what: string;
  readonly name: string;
}

const keyRow = (command: Command): KeyRow => ({
  keys: keysText(command),
  what: `${written[command.context] ?? ''}${command.description}`,
  name: command.id,
});

/** The README's key table: every key over the panes, in the composer and in the knowledge gate. */
export const keyTable = (): readonly KeyRow[] => {
  const last = commands.findLast(({ context }) => context === 'compose');
  return commands
    .filter(isInTable)
    .flatMap((command) => [
      keyRow(command),
      ...(command === last
        ? composerKeys.map(({ keys, what }) => ({ keys, what: `${written['compose']}${what}`, name: '' }))
        : []),
    ]);
};

const isInTable = ({ context, group, keys }: Command): boolean =>
  keys.length > 0 && written[context] !== undefined && (context === 'main' || group !== 'Move');

/** The commands outside of that table which decide or start something. */
export const otherCommands = (): readonly KeyRow[] =>
  commands
    .filter((command) => !isInTable(command) && command.group !== 'Move' && command.group !== 'Leave')
    .map(keyRow);

/** The letters that no command over the panes has. */
export const freeLetters = (): readonly string[] => {
  const taken = commands.filter(({ context }) => context === 'main').flatMap(({ keys }) => keys);
  return [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((key) => !taken.includes(key));
};
