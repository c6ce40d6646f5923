import { resetLog } from '../output/reduce-log.ts';
import { stepBy } from '../step.ts';
import { selectShownTasks } from '../tasks/select-shown-tasks.ts';
import { selectTask, selectTasks, type TaskTable } from '../tasks/select-tasks.ts';
import { pageOf } from '../text/page.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { copyTask } from './copy-task.ts';
import { type Pane, type PaneNote, plainPane } from './pane.ts';
import { wheelList } from './wheel-list.ts';

/** Selects another task. Its log is read from the end. */
export const selectsTask = (view: ViewState, task: string | null): ViewState =>
  withUi(view, {
    selected: { ...view.ui.selected, tasks: task },
    tops: { ...view.ui.tops, tasks: null },
    log: task === selectTask(view) ? view.ui.log : resetLog(view.ui.log),
  });

/** "5 of 8 done · 1 failed · chain of 3", shortened to the room beside the title. */
const progressOf = ({ done, failed, total, chain }: TaskTable, width: number): readonly PaneNote[] => {
  if (total === 0) return [];
  const lost = failed > 0 ? ` · ${failed} failed` : '';
  const room = width - 12;
  const text =
    [`${done} of ${total} done${lost}`, `${done}/${total}${lost}`].find(({ length }) => length <= room) ??
    `${done}/${total}`;
  const rest = ` · chain of ${chain}`;
  const chained = chain > 1 && width >= 44 && text.length + rest.length <= room;
  return [
    { text, tone: 'quiet' },
    { text: chained ? rest : '', tone: 'warn' },
  ];
};

const noTasks = (session: ViewState['session']): string => {
  if (session === null) return 'Nothing here yet.';
  return session.mode === 'loop' ? 'No turn yet.' : 'No tasks yet: the plan comes first.';
};

/** All tasks in their waves, or those that pass the filter. */
export const tasksPane = {
  ...plainPane,
  name: 'tasks',
  title: 'Tasks',
  short: 'Tasks',
  kind: 'list',
  note: (view, width) => {
    const { narrowed } = selectShownTasks(view);
    return narrowed === '' ? progressOf(selectTasks(view), width) : [{ text: narrowed, tone: 'warn' }];
  },
  empty: (view) => {
    if (selectTasks(view).total === 0) return noTasks(view.session);
    return selectShownTasks(view).rows.length === 0
      ? 'No task fits this filter: {look.back} shows all.'
      : null;
  },
  copy: copyTask,
  move: (view, by) => {
    const { rows, ids } = selectShownTasks(view);
    const task = selectTask(view);
    if (by === 'wheel-up' || by === 'wheel-down') {
      const at = rows.findIndex((row) => row.kind === 'task' && row.id === task);
      return wheelList(view, 'tasks', { count: rows.length, at }, by);
    }
    const to = stepBy(ids.indexOf(task ?? ''), by, ids.length, pageOf(view.ui.size.rows));
    return selectsTask(view, ids[to] ?? null);
  },
  open: (view) => {
    const task = selectTask(view);
    if (task === null) return 'Nothing is chosen here';
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
      withUi(view, { tasks: { ...view.ui.tasks, filter }, tops: { ...view.ui.tops, tasks: null } }),
    found: (view) => selectShownTasks(view).narrowed.split(' · ').at(-1) ?? '',
  },
} as const satisfies Pane<'tasks'>;
