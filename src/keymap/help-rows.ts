import type { ViewState } from '../store/view.ts';
import type { Command, Group } from './command.ts';
import { keyLabel } from './key-label.ts';

/** One row of the help: `why` says what stands in the way just now. */
export type HelpRow =
  | { readonly kind: 'group'; readonly title: string }
  | { readonly kind: 'key'; readonly keys: string; readonly what: string; readonly why: string | null };

const groups: readonly Group[] = ['Steer', 'Decide', 'Look', 'Move', 'Leave'];

/** The keys over the panes by group, then those of the composer. */
export const helpRowsOf = (commands: readonly Command[], view: ViewState): readonly HelpRow[] => [
  ...groups.flatMap((group): readonly HelpRow[] => [
    { kind: 'group', title: group },
    ...commands
      .filter((command) => command.context === 'main' && command.group === group)
      .map((command) => rowOf(command, command.available(view))),
  ]),
  { kind: 'group', title: 'While writing' },
  ...commands.filter((command) => command.context === 'compose').map((command) => rowOf(command, true)),
  { kind: 'key', keys: 'ctrl-j alt-Enter', what: 'new line', why: null },
  { kind: 'key', keys: '↑ ↓', what: 'messages sent before', why: null },
];

const rowOf = (command: Command, available: true | string): HelpRow => ({
  kind: 'key',
  keys: keysText(command),
  what: command.description,
  why: available === true ? null : available,
});

export const keysText = (command: Command): string => command.keys.map(keyLabel).join(' ');
