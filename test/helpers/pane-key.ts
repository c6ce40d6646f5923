import { commands } from '../../components/commands.ts';
import { type PlaceName, paneNamed } from '../../components/panes.ts';

type Shown = Exclude<PlaceName, 'tasks'>;

/** The key that shows a pane. It is a digit, which moves when a tab is added. */
export const paneKey = (pane: Shown): string => {
  const key = commands.find(({ id }) => id === `look.${pane}`)?.keys[0];
  if (key === undefined) throw new Error(`no key shows ${pane}`);
  return key;
};

/** Shows a pane and gives it the keys, wherever they are. */
export const paneKeys = (pane: Shown): readonly [string, string] => [paneKey(pane), paneKey(pane)];

/** The pane's title with its key, as the line of tabs has it: `4 Events`. */
export const tabTitle = (pane: Shown): string => `${paneKey(pane)} ${paneNamed(pane).title}`;

/** The same where there is little room: `7 In`. */
export const shortTabTitle = (pane: Shown): string => `${paneKey(pane)} ${paneNamed(pane).short}`;
