import { selectEvent } from '../../store/select-events.ts';
import { selectCursor, selectRaw } from '../../store/select-output.ts';
import { selectPreferences } from '../../store/select-preferences.ts';
import { selectChosenSignal } from '../../store/select-signals.ts';
import { selectTask } from '../../store/select-tasks.ts';
import { type PaneName, paneNames, type TabName, tabNames, type ViewState } from '../../store/view.ts';
import { act, always, type Command, type Context, type Doing } from '../command.ts';
import { foldable } from './read.ts';

const tabCommand = (tab: TabName, index: number): Command => ({
  id: `look.${tab}`,
  context: 'main',
  keys: [String(index + 1)],
  label: tab,
  description: `show ${tab}`,
  group: 'Look',
  available: always,
  run: () => [act({ type: 'tab-chosen', tab })],
});

/** Inbox and Processed have their digits behind the tabs: on a small screen they are tabs themselves. */
const paneCommand = (pane: 'inbox' | 'processed', index: number): Command => ({
  id: `look.${pane}`,
  context: 'main',
  keys: [String(tabNames.length + index + 1)],
  label: pane,
  description: `show ${pane}`,
  group: 'Look',
  available: always,
  run: () => [act({ type: 'focused', pane })],
});

/** Help over an overlay tells its keys; where one types, `?` is text. */
const helpIn = (context: Context): Command => ({
  id: `${context}.help`,
  context,
  keys: ['?'],
  label: 'help',
  description: 'keys of this place',
  group: 'Look',
  available: always,
  run: () => [act({ type: 'overlay-opened', overlay: { kind: 'help', top: 0 } })],
});

/** Keys that choose what is seen. */
export const lookCommands: readonly Command[] = [
  {
    id: 'look.next-pane',
    context: 'main',
    keys: ['tab'],
    label: 'pane',
    description: 'next pane',
    group: 'Look',
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
    available: always,
    run: (view) => [act({ type: 'focused', pane: neighbour(view.ui.focus, -1) })],
  },
  ...tabNames.map(tabCommand),
  ...(['inbox', 'processed'] as const).map(paneCommand),
  {
    id: 'look.open',
    context: 'main',
    keys: ['enter'],
    label: 'open',
    description: 'open: details of a task, a signal or an event in full; fold or unfold a command',
    group: 'Look',
    available: (view) => (open(view).length > 0 ? true : nothingToOpen(view)),
    run: (view) => open(view),
  },
  {
    id: 'look.zoom',
    context: 'main',
    keys: ['z'],
    label: (view) => (view.ui.zoom ? 'unzoom' : 'zoom'),
    description: 'give the whole screen to one pane',
    group: 'Look',
    available: always,
    run: () => [act({ type: 'zoomed' })],
  },
  {
    id: 'look.mouse',
    context: 'main',
    keys: ['M'],
    label: (view) => (selectPreferences(view).mouse ? 'mouse off' : 'mouse'),
    description: 'mouse: wheel and click on or off, on this screen (ui.mouse: for good)',
    group: 'Look',
    available: always,
    run: (view) => turnMouse(!selectPreferences(view).mouse),
  },
  {
    id: 'look.back',
    context: 'main',
    keys: ['escape'],
    label: 'back',
    description: 'back: end the search, the filter or the zoom, else follow the work again',
    group: 'Look',
    available: always,
    run: (view) => back(view),
  },
  ...(['knowledge', 'needs-you', 'signal', 'quit'] as const).map(helpIn),
  {
    id: 'look.help',
    context: 'main',
    keys: ['?'],
    label: 'help',
    description: 'all keys',
    group: 'Look',
    footer: 10,
    available: always,
    run: () => [act({ type: 'overlay-opened', overlay: { kind: 'help', top: 0 } })],
  },
];

const turnMouse = (mouse: boolean): readonly Doing[] => [
  act({ type: 'preferred', change: { mouse } }),
  act({
    type: 'noticed',
    notice: {
      text: mouse
        ? 'The mouse is on: wheel and click; with Shift held it selects text as before'
        : 'The mouse is off: the terminal selects text again',
      tone: 'info',
    },
  }),
];

const neighbour = (pane: PaneName, by: 1 | -1): PaneName =>
  paneNames[(paneNames.indexOf(pane) + by + paneNames.length) % paneNames.length] ?? 'tasks';

const open = (view: ViewState): readonly Doing[] => {
  const { focus } = view.ui;
  if (focus === 'tasks') {
    const task = selectTask(view);
    if (task === null) return [];
    return [act({ type: 'selected-task', task }), act({ type: 'tab-chosen', tab: 'details' })];
  }
  if (focus === 'right' && view.ui.tab === 'events') {
    const event = selectEvent(view);
    return event === null ? [] : [act({ type: 'event-toggled', seq: event.seq })];
  }
  if (focus === 'right')
    return view.ui.tab === 'output' && foldable(view) === true ? [act({ type: 'block-toggled' })] : [];
  const id = selectChosenSignal(view, focus);
  return id === null ? [] : [act({ type: 'overlay-opened', overlay: { kind: 'signal', id, top: 0 } })];
};

/** A line of the output may be marked and still hold nothing that opens. */
const nothingToOpen = (view: ViewState): string => {
  const { focus, tab } = view.ui;
  if (focus === 'right' && tab === 'details')
    return 'Nothing opens here: {read.earlier-attempt} {read.later-attempt} choose an attempt';
  if (focus === 'right' && tab === 'changes')
    return 'Nothing opens here: {read.scope} changes between the task and the session';
  if (focus !== 'right' || tab !== 'output') return 'Nothing is chosen here';
  if (selectRaw(view)) return 'Nothing folds in the log file as it is: {read.raw} shows blocks';
  return selectCursor(view) === null
    ? 'Nothing has run here yet'
    : 'Nothing folds on this line: {look.open} folds a command and what it printed';
};

const back = (view: ViewState): readonly Doing[] => {
  const { focus, log, tab, tasks, zoom } = view.ui;
  if (log.search?.status === 'looking') return [act({ type: 'search-ended' })];
  if (focus === 'tasks' && tasks.filter !== '') return [act({ type: 'tasks-filtered', text: '' })];
  if (focus === 'tasks' && tasks.neighbours) return [act({ type: 'neighbours-toggled' })];
  if (focus === 'right' && tab === 'events') {
    const { eventsAt, eventsFilter, eventsOpen } = view.ui;
    if (eventsOpen && eventsAt !== null) return [act({ type: 'event-toggled', seq: eventsAt })];
    if (eventsFilter !== '') return [act({ type: 'events-filtered', text: '' })];
    if (eventsAt !== null) return [act({ type: 'event-chosen', seq: null })];
  }
  if (log.search !== null) return [act({ type: 'search-ended' })];
  return [act(zoom ? { type: 'zoomed' } : { type: 'selected-task', task: null })];
};
