import type { TaskLook } from '../store/tasks/task-status.ts';
import { widthOf, wrap } from '../store/text/width.ts';
import type { ViewState } from '../store/view.ts';
import { type Command, contextOf, contextsOf, type Group, offeredNow } from './command.ts';
import { keyLabel } from './key-label.ts';

/** One line of the help; a text that is longer than the line goes on in rows without keys. `why`: what stands in the way just now, said in `what` too. */
export type HelpRow =
  | { readonly kind: 'group'; readonly title: string }
  /** A sign of the Tasks pane, which the theme draws. */
  | { readonly kind: 'sign'; readonly look: TaskLook; readonly what: string }
  | { readonly kind: 'key'; readonly keys: string; readonly what: string; readonly why: string | null };

const groups: readonly Group[] = ['Steer', 'Decide', 'Arrive', 'Look', 'Move', 'Leave'];

/** The words of the signs before tasks, in the order of a task's life. */
const signs: readonly (readonly [TaskLook, string])[] = [
  ['waiting', 'waits for other tasks'],
  ['ready', 'can start'],
  ['running', 'an agent works on it'],
  ['paused', 'paused'],
  ['asks', 'asks you: a permission, a question or a review'],
  ['to-review', 'waits for its review'],
  ['reviewing', 'in review'],
  ['again', 'to be tried again'],
  ['done', 'done'],
  ['failed', 'failed'],
  ['unreachable', 'cannot start: one before it failed'],
  ['cancelled', 'cancelled'],
  ['replaced', 'split into other tasks'],
];

/** What the composer's field does with keys of its own (`edit-keys.ts`), which are no commands. */
export const composerKeys: readonly { readonly keys: string; readonly what: string }[] = [
  { keys: 'ctrl-j alt-Enter', what: 'new line' },
  { keys: '↑ ↓', what: 'messages sent before' },
];

/**
 * What can be done here comes first. Over the panes the other keys follow by group, with the reason where one can do nothing, and those of the
 * composer; over an overlay its own keys are all there is.
 */
export const helpRowsOf = (commands: readonly Command[], whole: ViewState): readonly HelpRow[] =>
  fitting(wholeRows(commands, whole), filterOf(whole)).flatMap((row) =>
    wrapped(row, helpWidth(whole.ui.size.columns)),
  );

const filterOf = (view: ViewState): readonly string[] => {
  const top = view.ui.overlays.at(-1);
  const text = top?.kind === 'help' ? (top.filter?.text ?? '') : '';
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
  row.kind === 'group'
    ? ''
    : row.kind === 'sign'
      ? row.what.toLowerCase()
      : `${row.keys} ${row.what} ${row.why ?? ''}`.toLowerCase();

/** Columns of the help's frame on a screen of so many. */
export const helpWidth = (columns: number): number => Math.min(96, columns - 4);

/** Cells for the keys of a row. */
export const keysWidth = 13;

const wrapped = (row: HelpRow, width: number): readonly HelpRow[] => {
  if (row.kind !== 'key') return [row];
  const text = row.why === null ? row.what : `${row.what} · ${row.why}`;
  const texts = wrap(text, Math.max(20, width - 4 - 3 - keysWidth));
  // Keys that leave no gap to their text have a row of their own.
  const rows = widthOf(row.keys) > keysWidth ? ['', ...texts] : texts;
  return rows.map((what, index) => ({ ...row, keys: index === 0 ? row.keys : '', what }));
};

const wholeRows = (commands: readonly Command[], whole: ViewState): readonly HelpRow[] => {
  const view = belowHelp(whole);
  const context = contextOf(view);
  const own = commands.filter((command) => contextsOf(view).includes(command.context));
  if (context !== 'main') return [title('Here'), ...own.map((command) => rowOf(command, view))];
  const here = offeredNow(commands, view);
  const others = own.filter((command) => !here.includes(command));
  return [
    title('Here and now'),
    ...here.map((command) => rowOf(command, view)),
    ...groups.flatMap((group): readonly HelpRow[] => {
      const rows = others.filter((command) => command.group === group);
      return rows.length === 0 ? [] : [title(group), ...rows.map((command) => rowOf(command, view))];
    }),
    title('While writing'),
    ...commands.filter((command) => command.context === 'compose').map((command) => rowOf(command, null)),
    ...composerKeys.map(({ keys, what }): HelpRow => ({ kind: 'key', keys, what, why: null })),
    title('Signs in Tasks'),
    ...signs.map(([look, what]): HelpRow => ({ kind: 'sign', look, what })),
    {
      kind: 'key',
      keys: '┝ ┕',
      what: 'on the longest chain of what is left, which decides how long it takes; "chain of 3" is its length in tasks',
      why: null,
    },
    { kind: 'key', keys: '╌ ╎', what: 'in the graph: this edge closes a cycle', why: null },
    {
      kind: 'key',
      keys: '‹ › ▴ ▾',
      what: 'in the graph: more lies beyond this edge; beside a task: it has edges to tasks that are not drawn',
      why: null,
    },
  ];
};

/** The screen the help was asked for upon. */
const belowHelp = (view: ViewState): ViewState => ({
  ...view,
  ui: { ...view.ui, overlays: view.ui.overlays.filter((overlay) => overlay.kind !== 'help') },
});

const title = (text: string): HelpRow => ({ kind: 'group', title: text });

/** Without a view the command is only named: where it counts is another place. */
const rowOf = (command: Command, view: ViewState | null): HelpRow => {
  const able = view === null ? true : command.available(view);
  return {
    kind: 'key',
    keys: keysText(command),
    what: command.description,
    why: able === true ? null : able,
  };
};

export const keysText = (command: Command): string => command.keys.map(keyLabel).join(' ');
