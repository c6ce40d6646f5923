import { act, type Command, type CommandEffect } from '../command.ts';
import { selectAttempt } from '../details/select-details.ts';
import { selectTurn, type Turn } from '../details/select-turn.ts';
import { allPrinted, noPanes } from '../in-lines.ts';
import { createEditor } from '../keys/line-editor.ts';
import { selectLayout } from '../layout.ts';
import { focusedPane } from '../panes.ts';
import { readingOf } from '../reading.ts';
import { hasTasks } from '../tasks/commands.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { goToRow, selectNextPart } from './move-in-diff.ts';
import { selectNextFound } from './search-diff.ts';
import { nextScopeWords } from './select-changes.ts';
import { paneWidth, selectLaid, selectTwoColumns, twoColumnsFrom } from './select-window.ts';

/** Keys of the Changes tab. Search, hunks and scope share keys with other panes (`read.ts`). */
export const changesCommands: readonly Command[] = [
  {
    id: 'read.scope',
    context: 'main',
    keys: ['d'],
    label: (view) => `diff of ${nextScopeWords(view)}`,
    description: 'diff of the task, its attempts, or the whole session',
    group: 'Look',
    inLines: allPrinted,
    available: hasTasks,
    run: () => [act({ type: 'tab-chosen', tab: 'changes' }), act({ type: 'scope-turned' })],
  },
  {
    id: 'changes.undo',
    context: 'main',
    keys: ['U'],
    label: (view) => {
      const turn = turnOf(view);
      return typeof turn === 'string' ? 'undo' : turn.way;
    },
    description: 'revert the changes shown and keep a patch of them; press again to bring them back',
    group: 'Decide',
    inLines: {
      instead: '`ralph-tui undo TASK` reverts the changes, and `ralph-tui redo TASK` restores them',
    },
    available: (view) => {
      const turn = turnOf(view);
      return typeof turn === 'string' ? turn : true;
    },
    run: (view) => {
      const work = workShown(view);
      return work === null
        ? []
        : [
            act({
              type: 'overlay-opened',
              overlay: { kind: 'confirm', subject: { kind: 'take-back', ...work }, editor: createEditor() },
            }),
          ];
    },
  },
  partCommand('J', 1),
  partCommand('K', -1),
  {
    id: 'changes.columns',
    context: 'main',
    keys: ['|'],
    label: (view) => (selectTwoColumns(view) ? 'one column' : 'side by side'),
    description: 'changes in one column, or old and new lines side by side',
    group: 'Look',
    inLines: noPanes,
    available: (view) => {
      const able = hasTasks(view);
      if (able !== true) return able;
      return paneWidth(view) >= twoColumnsFrom
        ? true
        : `Side by side needs ${twoColumnsFrom} columns, but Changes has ${paneWidth(view)}: {look.zoom} gives it the whole screen`;
    },
    run: () => [act({ type: 'tab-chosen', tab: 'changes' }), act({ type: 'columns-turned' })],
  },
];

/** The task, or its attempt, whose changes are shown; `null` for the whole session. */
function workShown(view: ViewState): { readonly task: string; readonly attempt: number | null } | null {
  const task = selectTask(view);
  if (task === null || view.ui.scope === 'session') return null;
  const attempt = selectAttempt(view);
  const tries = view.session?.tasks.get(task)?.attempt ?? 0;
  const one = view.ui.scope === 'attempt' && tries > 1 ? (attempt?.number ?? null) : null;
  return { task, attempt: one };
}

function turnOf(view: ViewState): Turn | string {
  const work = workShown(view);
  if (work === null)
    return 'Only one task can be reverted at a time: choose one, then press {read.scope} for its changes';
  return selectTurn(view, work.task, work.attempt);
}

function partCommand(key: string, by: 1 | -1): Command {
  const way = by > 0 ? 'next' : 'previous';
  return {
    id: `changes.${way}-file`,
    context: 'main',
    keys: [key],
    label: `${way} file`,
    description: `${way} file in Changes`,
    group: 'Look',
    inLines: noPanes,
    available: (view) =>
      inChanges(view) ? hasPart(view, 'file', by) : 'The files are in Changes: {look.changes} shows them',
    run: (view) => goToPart(view, 'file', by),
  };
}

/** Whether the keys of the Changes tab go there: it has the focus, or stands beside the tasks that have it. */
export function inChanges(view: ViewState): boolean {
  if (focusedPane(view).name === 'changes') return true;
  const { focus, tab } = view.ui;
  return focus === 'tasks' && tab === 'changes' && selectLayout(view).kind !== 'single';
}

/** Whether there is a file or a hunk that way, or the reason why not. */
export function hasPart(view: ViewState, part: 'file' | 'hunk', by: 1 | -1): true | string {
  const { diff } = selectLaid(view);
  if (diff === null || diff.files.length === 0) return 'No differences are shown here';
  return selectNextPart(view, part, by) === null ? `No ${part}s ${by > 0 ? 'below' : 'above'}` : true;
}

/** Goes to the next file or hunk. */
export function goToPart(view: ViewState, part: 'file' | 'hunk', by: 1 | -1): readonly CommandEffect[] {
  const row = selectNextPart(view, part, by);
  return row === null ? [] : [act(goToRow(view, row, part === 'hunk'))];
}

/** Opens the field for the words to search for. */
export const searchChanges = (view: ViewState): CommandEffect =>
  act({
    type: 'overlay-opened',
    overlay: {
      kind: 'prompt',
      what: 'search',
      pane: 'changes',
      editor: createEditor(readingOf(view.ui, 'changes').find),
    },
  });

/** Keeps the words and goes to the first row with them. */
export const startSearch = (view: ViewState, words: string): readonly CommandEffect[] => [
  act({ type: 'read', pane: 'changes', change: { find: words } }),
  ...(words === '' ? [] : goOn(view, 1, words)),
];

/** Whether a row has the words of the search, or the reason why there is nothing to go to. */
export const canGoOn = (view: ViewState, by: 1 | -1): true | string => {
  const { find } = readingOf(view.ui, 'changes');
  if (find === '') return 'Search first: {read.search}';
  return selectNextFound(view, by) === null ? `Nothing here matches "${find}"` : true;
};

/** Goes to the next row with the words of the search. */
export const goOn = (view: ViewState, by: 1 | -1, words?: string): readonly CommandEffect[] => {
  const row = selectNextFound(view, by, words);
  return row === null ? [] : [act(goToRow(view, row, true))];
};
