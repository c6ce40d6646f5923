import { act, always, type Command, type CommandEffect } from '../command.ts';
import { type InLines, noOverlays } from '../in-lines.ts';
import type { HelpFilter } from '../overlay.ts';
import type { ViewState } from '../view.ts';
import { foldsHelp } from './help-rows.ts';

const keysPrinted: InLines = { instead: '`keys` prints all of them: search with your terminal' };

const filter = (change: Partial<HelpFilter>): readonly CommandEffect[] => [
  act({ type: 'help-filtered', change }),
];

const showsAll = ({ ui }: ViewState): boolean => {
  const top = ui.overlays.at(-1);
  return top?.kind === 'help' && top.all === true;
};

/** Keys of the help's filter. What is typed there goes to the field itself (`components/help/Help.tsx`). */
export const helpCommands: readonly Command[] = [
  {
    id: 'help.filter',
    context: 'help',
    keys: ['/'],
    label: 'filter',
    description: 'show only the keys whose description contains the typed text',
    group: 'Look',
    inLines: keysPrinted,
    footer: 1,
    available: always,
    run: () => filter({ focused: true }),
  },
  {
    id: 'help.all',
    context: 'help',
    keys: ['tab'],
    label: (view) => (showsAll(view) ? 'fewer keys' : 'all keys'),
    description: 'show the keys of all groups, or only those that matter here and now',
    group: 'Look',
    inLines: keysPrinted,
    footer: 2,
    available: (view) => (foldsHelp(view) ? true : 'All keys are shown'),
    run: () => [act({ type: 'help-unfolded' })],
  },
  {
    id: 'help-filter.keep',
    context: 'help-filter',
    keys: ['enter'],
    label: 'keep',
    description: 'keep the filter',
    group: 'Leave',
    inLines: keysPrinted,
    footer: 1,
    available: always,
    run: () => filter({ focused: false }),
  },
  {
    id: 'help-filter.clear',
    context: 'help-filter',
    keys: ['escape'],
    label: 'all keys',
    description: 'show all keys again',
    group: 'Leave',
    inLines: keysPrinted,
    footer: 2,
    available: always,
    run: () => filter({ text: '', focused: false }),
  },
  {
    id: 'help-filter.close',
    context: 'help-filter',
    keys: ['ctrl-c'],
    label: 'close',
    description: 'close',
    group: 'Leave',
    inLines: noOverlays,
    available: always,
    run: () => [act({ type: 'overlay-closed' })],
  },
];
