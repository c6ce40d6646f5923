import { isDrawn } from '../../src/store/layout.ts';
import { selectShownTasks } from '../../src/store/tasks/select-shown-tasks.ts';
import { selectTask } from '../../src/store/tasks/select-tasks.ts';
import { listTop } from '../../src/store/text/window-top.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { spinnerOf } from '../parts/spinner.ts';
import { taskLines } from '../parts/task-lines.ts';
import { useTheme } from '../parts/theme-context.ts';
import { TaskGraph } from './TaskGraph.tsx';

/** The tasks as a graph, as waves or as a list. */
export const TasksPane = (props: PaneProps) =>
  isDrawn(props.view) ? <TaskGraph {...props} /> : <TaskRows {...props} />;

/** The graph as waves or as a list: glyph, word and colour of each task's status, its worker, and what it waits for. */
const TaskRows = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const task = selectTask(view);
  const shown = selectShownTasks(view);
  const at = shown.rows.findIndex((row) => row.kind === 'task' && row.id === task);
  const top = listTop(view.ui.tops.tasks, shown.rows.length, at, height);
  const rows = shown.rows.slice(top, top + height);
  const spinner = spinnerOf(view, now, theme);
  const lines = taskLines(rows, shown.rows, { now, width, theme, marked: task, focused, spinner });
  return <Lines lines={lines} width={width} height={height} />;
};
