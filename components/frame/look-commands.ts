import { act, always, type Command, type CommandEffect, type Context } from '../command.ts';
import { noPanes } from '../in-lines.ts';
import { focusedPane, isTab, paneNamed, type TabName, tabNames } from '../panes.ts';
import { selectPreferences } from '../ports/select-preferences.ts';
import { runnerNames } from '../runners/runners-text.ts';
import { type PaneName, paneNames, type ViewState } from '../view.ts';

const tabCommand = (tab: TabName, index: number): Command => ({
  id: `look.${tab}`,
  context: 'main',
  keys: [String(index + 1), `alt-${index + 1}`],
  label: tab,
  description: paneNamed(tab).followsTask ? `show ${tab}; again: move the keys there` : `show ${tab}`,
  group: 'Look',
  inLines: paneNamed(tab).inLines,
  available: always,
  run: () => [act({ type: 'tab-shown', tab })],
});

/** Inbox and Processed take the digits after the tabs: on a small screen they are tabs themselves. */
const paneCommand = (pane: 'inbox' | 'processed', index: number): Command => ({
  id: `look.${pane}`,
  context: 'main',
  keys: [String(tabNames.length + index + 1), `alt-${tabNames.length + index + 1}`],
  label: pane,
  description: `show ${pane}`,
  group: 'Look',
  inLines: paneNamed(pane).inLines,
  available: always,
  run: () => [act({ type: 'focused', pane })],
});

/** The same over the end screen, which opens by itself: no Esc is needed before the key of a pane. */
const fromEnd = (command: Command): Command => ({
  ...command,
  id: command.id.replace('look.', 'end.'),
  context: 'end',
  description: command.description.replace(/;.*/s, ''),
  run: (view) => [
    act({ type: 'overlay-closed' }),
    ...command.run(view),
    // The digit leads to something to read, and there is no list behind it to go on with.
    ...(isTab(command.id.replace('look.', '')) ? [act({ type: 'focused', pane: 'right' })] : []),
    ...ofAll(command),
  ],
});

/** The end screen is about the whole session, and so are the changes that it leads to. */
const ofAll = ({ id }: Command): readonly CommandEffect[] =>
  id === 'look.changes' ? [act({ type: 'scope-turned', to: 'session' })] : [];

/** Over an overlay the help lists that overlay's keys. In a text field `?` is text. */
const helpIn = (context: Context): Command => ({
  id: `${context}.help`,
  context,
  keys: ['?'],
  label: 'help',
  description: 'the keys available here',
  group: 'Look',
  inLines: { instead: '`help` lists the commands' },
  available: always,
  run: () => [act({ type: 'overlay-opened', overlay: { kind: 'help', top: 0 } })],
});

const paneKeys = [...tabNames.map(tabCommand), ...(['inbox', 'processed'] as const).map(paneCommand)];

/** Keys that choose what the screen shows. */
export const lookCommands: readonly Command[] = [
  {
    id: 'look.next-pane',
    context: 'main',
    keys: ['tab'],
    label: 'pane',
    description: 'next pane',
    group: 'Look',
    inLines: noPanes,
    footer: 8,
    available: always,
    run: (view) => [act({ type: 'focused', pane: neighbour(view.ui.focus, 1) })],
  },
  {
    id: 'look.previous-pane',
    context: 'main',
    keys: ['shift-tab'],
    label: 'previous pane',
    description: 'previous pane',
    group: 'Look',
    inLines: noPanes,
    available: always,
    run: (view) => [act({ type: 'focused', pane: neighbour(view.ui.focus, -1) })],
  },
  ...paneKeys,
  ...paneKeys.map(fromEnd),
  {
    id: 'look.open',
    context: 'main',
    keys: ['enter'],
    label: 'open',
    description: 'open: the details of a task, a signal or an event; fold or unfold a command',
    group: 'Look',
    inLines: { word: 'tasks' },
    available: (view) => {
      const opened = focusedPane(view).open(view);
      return typeof opened === 'string' ? opened : true;
    },
    run: (view) => {
      const opened = focusedPane(view).open(view);
      return typeof opened === 'string' ? [] : opened.map(act);
    },
  },
  {
    id: 'look.zoom',
    context: 'main',
    keys: ['z'],
    label: (view) => (view.ui.zoom ? 'unzoom' : 'zoom'),
    description: 'give the whole screen to one pane',
    group: 'Look',
    inLines: noPanes,
    available: always,
    run: () => [act({ type: 'zoomed' })],
  },
  {
    id: 'look.mouse',
    context: 'main',
    keys: ['M'],
    label: (view) => (selectPreferences(view).mouse ? 'mouse off' : 'mouse'),
    description: 'turn the mouse wheel and clicks on or off for this screen (ui.mouse: permanently)',
    group: 'Look',
    inLines: noPanes,
    available: always,
    run: (view) => turnMouse(!selectPreferences(view).mouse),
  },
  {
    id: 'look.back',
    context: 'main',
    keys: ['escape'],
    label: 'back',
    description: 'back: end the search, filter or zoom; otherwise follow the work again',
    group: 'Look',
    inLines: noPanes,
    available: always,
    run: (view) => back(view),
  },
  {
    id: 'look.runners',
    context: 'main',
    keys: [],
    label: 'runners',
    description: 'the machines and sandboxes in use: slots, agents, waiting work',
    group: 'Look',
    inLines: { instead: '`ralph-tui runners` lists them' },
    available: ({ session }) => (runnerNames(session).length > 0 ? true : 'No runner is configured'),
    run: () => [act({ type: 'overlay-opened', overlay: { kind: 'runners', top: 0 } })],
  },
  ...(['knowledge', 'needs-you', 'permission', 'signal', 'quit'] as const).map(helpIn),
  {
    id: 'look.help',
    context: 'main',
    keys: ['?'],
    label: 'help',
    description: 'all keys',
    group: 'Look',
    inLines: { word: 'help' },
    footer: 10,
    available: always,
    run: () => [act({ type: 'overlay-opened', overlay: { kind: 'help', top: 0 } })],
  },
];

const turnMouse = (mouse: boolean): readonly CommandEffect[] => [
  act({ type: 'preferred', change: { mouse } }),
  act({
    type: 'noticed',
    notice: {
      text: mouse
        ? 'The mouse is on: scroll and click; hold Shift to select text as usual'
        : 'The mouse is off: the terminal selects text again',
      tone: 'info',
    },
  }),
];

const neighbour = (pane: PaneName, by: 1 | -1): PaneName =>
  paneNames[(paneNames.indexOf(pane) + by + paneNames.length) % paneNames.length] ?? 'tasks';

const back = (view: ViewState): readonly CommandEffect[] => {
  const { log, zoom } = view.ui;
  if (log.search?.status === 'looking') return [act({ type: 'search-ended' })];
  const inPane = focusedPane(view).back(view);
  if (inPane !== null) return [act(inPane)];
  if (log.search !== null) return [act({ type: 'search-ended' })];
  return [act(zoom ? { type: 'zoomed' } : { type: 'selected-task', task: null })];
};
