import { pageOf } from '../draw/page.ts';
import { isDrawn } from '../layout.ts';
import { type Pane, type PaneNote, plainPane } from '../pane/pane.ts';
import { wheelList } from '../pane/wheel-list.ts';
import { stepBy } from '../step.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { copyTask } from './copy-task.ts';
import { moveInGraph, selectsTask } from './move-in-graph.ts';
import { selectGraph } from './select-graph.ts';
import { selectShownTasks } from './select-shown-tasks.ts';
import { selectTask, selectTasks } from './select-tasks.ts';

/** "5 of 8 done · 1 failed · 3 tasks in a row remain", shortened to the room beside the title. Nobody knows how many turns a loop will have: "5 done". */
const progressOf = (view: ViewState, width: number): readonly PaneNote[] => {
  const { done, failed, total, chain } = selectTasks(view);
  if (total === 0) return [];
  const lost = failed > 0 ? ` · ${failed} failed` : '';
  if (view.session?.mode === 'loop') return [{ text: `${done} done${lost}`, tone: 'secondary' }];
  const room = width - 12;
  const text =
    [`${done} of ${total} done${lost}`, `${done}/${total}${lost}`].find(({ length }) => length <= room) ??
    `${done}/${total}${failed > 0 ? ` ✗${failed}` : ''}`;
  const rest = [` · ${chain} tasks in a row remain`, ` · ${chain} in a row left`].find(
    ({ length }) => text.length + length <= room,
  );
  const chained = chain > 1 && width >= 44 && rest !== undefined;
  return [
    { text, tone: 'secondary' },
    { text: chained ? rest : '', tone: 'chain' },
  ];
};

const noTasks = (session: ViewState['session']): string => {
  if (session === null) return 'Nothing here yet.';
  return session.mode === 'loop' ? 'No turn yet.' : 'No tasks yet: the plan comes first.';
};

/** The rows in sight move, the selection stays. */
const wheelGraph = (view: ViewState, by: Move): ViewState => {
  const { layout, top, rows } = selectGraph(view);
  const to = Math.max(0, Math.min(layout.height - rows, stepBy(top, by, layout.height, rows)));
  return withUi(view, { tops: { ...view.ui.tops, tasks: to } });
};

const moved = (view: ViewState, by: Move): ViewState => {
  if (isDrawn(view)) return moveInGraph(view, by);
  const { ids } = selectShownTasks(view);
  const to = stepBy(ids.indexOf(selectTask(view) ?? ''), by, ids.length, pageOf(view.ui.size.rows));
  return selectsTask(view, ids[to] ?? null);
};

/** The view with a selected task that its filter shows: the first of them where it hides the one selected so far. */
const inSight = (view: ViewState): ViewState => {
  const { ids } = selectShownTasks(view);
  return ids.length === 0 || ids.includes(selectTask(view) ?? '') ? view : moved(view, 'first');
};

/** All tasks by level, as a graph, as a list, or those that pass the filter. */
export const tasksPane = {
  ...plainPane,
  name: 'tasks',
  title: 'Tasks',
  short: 'Task',
  inLines: { word: 'tasks' },
  keys: ['look.open', 'draw.form', 'read.filter', 'read.neighbours', 'draw.fold', 'read.search', 'look.zoom'],
  kind: 'list',
  note: (view, width) => {
    const { narrowed } = selectShownTasks(view);
    return narrowed === '' ? progressOf(view, width) : [{ text: narrowed, tone: 'held' }];
  },
  empty: (view) => {
    if (selectTasks(view).total === 0) return noTasks(view.session);
    return selectShownTasks(view).rows.length === 0
      ? 'No task matches this filter: {look.back} shows all.'
      : null;
  },
  copy: copyTask,
  sideways: isDrawn,
  move: (view, by) => {
    if (by !== 'wheel-up' && by !== 'wheel-down') return moved(view, by);
    if (isDrawn(view)) return wheelGraph(view, by);
    const { rows } = selectShownTasks(view);
    const task = selectTask(view);
    const at = rows.findIndex((row) => row.kind === 'task' && row.id === task);
    return wheelList(view, 'tasks', { count: rows.length, at }, by);
  },
  open: (view) => {
    const task = selectTask(view);
    if (task === null) return 'Nothing is chosen here';
    if (isDrawn(view) && selectGraph(view).at !== task) return [{ type: 'folding-toggled' }];
    return [
      { type: 'selected-task', task },
      { type: 'tab-chosen', tab: 'details' },
    ];
  },
  back: (view) => {
    const { filter, neighbours } = view.ui.tasks;
    if (filter !== '') return { type: 'filtered', pane: 'tasks', text: '' };
    return neighbours ? { type: 'neighbours-toggled' } : null;
  },
  filter: {
    label: 'Show tasks with',
    text: (view) => view.ui.tasks.filter,
    set: (view, filter) =>
      inSight(withUi(view, { tasks: { ...view.ui.tasks, filter }, tops: { ...view.ui.tops, tasks: null } })),
    found: (view) => selectShownTasks(view).narrowed.split(' · ').at(-1) ?? '',
  },
} as const satisfies Pane<'tasks'>;
