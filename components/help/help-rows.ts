import type { TaskLook } from '../../src/words/task-status.ts';
import { wholeWords, widthOf, wrap } from '../../src/words/width.ts';
import {
  type Command,
  contextOf,
  contextsOf,
  type Group,
  labelOf,
  offeredNow,
  reasonNot,
} from '../command.ts';
import { keyLabel } from '../keys/key-label.ts';
import { paneCommands } from '../pane/pane-keys.ts';
import { focusedPane } from '../panes.ts';
import type { ViewState } from '../view.ts';
import { helpColumns, helpColumnWidth, helpHeight, keysWidth } from './help-columns.ts';
import type { HelpRow } from './help-row.ts';

const groups: readonly Group[] = ['Steer', 'Decide', 'Arrive', 'Look', 'Move', 'Leave'];

/** The words of the signs before tasks, in the order of a task's life. */
const signs: readonly (readonly [TaskLook, string])[] = [
  ['waiting', 'waits for other tasks'],
  ['ready', 'can start'],
  ['running', 'an agent is working on it; spins while output arrives'],
  ['paused', 'paused'],
  ['asks', 'needs you: a permission, a question or a review'],
  ['to-review', 'waits for its review'],
  ['reviewing', 'in review'],
  ['again', 'will be tried again'],
  ['done', 'done'],
  ['failed', 'failed'],
  ['unreachable', 'cannot start: a blocker failed'],
  ['cancelled', 'cancelled'],
  ['replaced', 'replaced by other tasks'],
];

/** What the composer's field does with keys of its own (`edit-keys.ts`), which are no commands. */
export const composerKeys: readonly { readonly keys: string; readonly what: string }[] = [
  { keys: 'ctrl-j alt-Enter', what: 'new line' },
  { keys: '↑ ↓', what: 'previously sent messages' },
];

/**
 * What can be done here comes first. Over the panes the other keys follow by group, with the reason where one can do nothing, and those of the
 * composer: folded to one row a group until a person asks for all or filters. Over an overlay its own keys are all there is.
 */
export const helpRowsOf = (commands: readonly Command[], whole: ViewState): readonly HelpRow[] => {
  const { columns } = whole.ui.size;
  const words = filterOf(whole);
  const groups = groupsOf(commands, whole);
  const rows =
    words.length > 0 || helpOf(whole)?.all === true ? groups.flatMap(unfolded) : folded(groups, columns);
  return fitting(rows, words).flatMap((row, index) => [
    ...(row.kind === 'group' && index > 0 ? [title('')] : []),
    ...wrapped(row, columns),
  ]);
};

/** Whether the help has groups that can be folded. */
export const foldsHelp = (view: ViewState): boolean => contextOf(belowHelp(view)) === 'main';

/** Rows under a title. */
interface HelpGroup {
  readonly title: string;
  readonly rows: readonly HelpRow[];
  /** It matters here and now, and is never folded. */
  readonly here?: true;
}

const unfolded = ({ title: text, rows }: HelpGroup): readonly HelpRow[] => [title(text), ...rows];

const folded = (groups: readonly HelpGroup[], columns: number): readonly HelpRow[] => {
  const others = groups.filter(({ here }) => here !== true);
  const topics = others.map((group): HelpRow => {
    const keys = group.rows.flatMap((row) => (row.kind === 'key' && row.keys !== '' ? [row.keys] : []));
    return {
      kind: 'topic',
      title: group.title,
      keys: wholeWords(keys.join('  '), helpColumnWidth(columns) - topicWidth - 1, '…'),
    };
  });
  return [
    ...groups.filter(({ here }) => here === true).flatMap(unfolded),
    ...(topics.length === 0 ? [] : [title('More'), ...topics]),
  ];
};

/** Cells for the title of a folded group. */
export const topicWidth = 18;

const helpOf = (view: ViewState) => {
  const top = view.ui.overlays.at(-1);
  return top?.kind === 'help' ? top : null;
};

const filterOf = (view: ViewState): readonly string[] => {
  const text = helpOf(view)?.filter?.text ?? '';
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
};

/** The rows that contain every word, under the groups that still have some. */
const fitting = (rows: readonly HelpRow[], words: readonly string[]): readonly HelpRow[] => {
  if (words.length === 0) return rows;
  const fits = rows.map((row) => words.every((word) => searched(row).includes(word)));
  return rows.filter((row, index) => {
    if (row.kind !== 'group') return fits[index];
    const end = rows.findIndex((other, at) => at > index && other.kind === 'group');
    return fits.slice(index + 1, end < 0 ? rows.length : end).includes(true);
  });
};

const searched = (row: HelpRow): string =>
  row.kind === 'group' || row.kind === 'topic'
    ? ''
    : row.kind === 'sign'
      ? row.what.toLowerCase()
      : `${row.keys} ${row.title} ${row.what} ${row.why ?? ''}`.toLowerCase();

/** Steps of the longest column: the other one goes with it. */
export const helpLength = (commands: readonly Command[], view: ViewState): number => {
  const { columns, rows } = view.ui.size;
  return helpRowsOf(commands, view).length - (helpColumns(columns) - 1) * helpHeight(rows);
};

/** Columns of the screen from which each key has one row. */
const oneRowFrom = 120;

/** Cells for the titles, where each key has one row, by the columns of rows. */
const titleWidth = { 1: 15, 2: 10 } as const;

const wrapped = (row: HelpRow, columns: number): readonly HelpRow[] => {
  if (row.kind !== 'key') return [row];
  const sentence = row.why ?? row.what;
  const text = `${row.title}${sentence === '' ? '' : `  ${sentence}`}`;
  const room = helpColumnWidth(columns) - 2;
  // A reason of any length has one row where the sentences have.
  if (columns >= oneRowFrom) {
    const cells = room - Math.max(keysWidth, widthOf(row.keys));
    const whole = wholeWords(text, cells, '…');
    // The sentences begin in one column, unless one is so long that it needs the room.
    const gap = Math.max(
      0,
      Math.min(titleWidth[helpColumns(columns)] - widthOf(row.title), cells - widthOf(whole)),
    );
    return [{ ...row, what: `${' '.repeat(gap)}${whole.slice(row.title.length)}` }];
  }
  const texts = wrap(text, Math.max(20, room - keysWidth));
  // Keys that leave no gap to their text have a row of their own.
  const isLong = widthOf(row.keys) > keysWidth;
  const rows = texts.map((part, index) => ({
    ...row,
    keys: index === 0 && !isLong ? row.keys : '',
    title: index === 0 ? row.title : '',
    what: index === 0 ? part.slice(row.title.length) : part,
  }));
  return isLong ? [{ ...row, title: '', what: '' }, ...rows] : rows;
};

const groupsOf = (commands: readonly Command[], whole: ViewState): readonly HelpGroup[] => {
  const view = belowHelp(whole);
  const context = contextOf(view);
  // What has no key is in the palette.
  const own = commands.filter(
    (command) => contextsOf(view).includes(command.context) && command.keys.length > 0,
  );
  const rowsOf = (some: readonly Command[]) => some.map((command) => rowOf(command, view));
  if (context !== 'main') return [{ title: 'Here', here: true, rows: rowsOf(own) }];
  const pane = paneCommands(own, view);
  const now = offeredNow(commands, view).filter((command) => !pane.includes(command));
  const others = own.filter((command) => !pane.includes(command) && !now.includes(command));
  return [
    { title: `Here and now · ${focusedPane(view).title}`, here: true, rows: rowsOf(pane) },
    { title: 'The session', here: true, rows: rowsOf(now) },
    ...groups.flatMap((group): readonly HelpGroup[] => {
      const rows = rowsOf(others.filter((command) => command.group === group));
      return rows.length === 0 ? [] : [{ title: group, rows }];
    }),
    {
      title: 'While writing',
      rows: [
        ...commands.filter(({ context: at }) => at === 'compose').map((command) => rowOf(command, null)),
        ...composerKeys.map(({ keys, what }) => signRow(keys, what)),
      ],
    },
    { title: 'Symbols in Tasks', rows: symbols },
  ];
};

const signRow = (keys: string, title: string, what = ''): HelpRow => ({
  kind: 'key',
  keys,
  title,
  what,
  why: null,
});

const symbols: readonly HelpRow[] = [
  ...signs.map(([look, what]): HelpRow => ({ kind: 'sign', look, what })),
  signRow(
    '┝ ┕',
    'longest chain',
    'of the remaining tasks; it determines how long they take ("3 tasks in a row remain")',
  ),
  signRow('╌ ╎', 'cycle', 'in the graph: this edge closes a cycle'),
  signRow(
    '‹ › ▴ ▾',
    'more beyond',
    'this edge of the graph; beside a task: it has edges to tasks that are not shown',
  ),
];

/** The screen the help was asked for upon. */
const belowHelp = (view: ViewState): ViewState => ({
  ...view,
  ui: { ...view.ui, overlays: view.ui.overlays.filter((overlay) => overlay.kind !== 'help') },
});

const title = (text: string): HelpRow => ({ kind: 'group', title: text });

/** Without a view the command is only named: where it counts is another place. */
const rowOf = (command: Command, view: ViewState | null): HelpRow => {
  const name =
    view === null ? (typeof command.label === 'string' ? command.label : '') : labelOf(command, view);
  return {
    kind: 'key',
    keys: keysText(command),
    title: name,
    what: withoutTitle(command.description, name),
    why: view === null ? null : reasonNot(command, view),
  };
};

/** "steer: the agent restarts" says "steer" twice beside its title. "pause, cancel the pause, or resume" is a list, and stays whole. */
export const withoutTitle = (description: string, name: string): string =>
  name !== '' && /^[:;]? |^$/.test(description.slice(name.length)) && description.startsWith(name)
    ? description.slice(name.length).replace(/^[:;]? /, '')
    : description;

export const keysText = (command: Command): string => command.keys.map(keyLabel).join(' ');
