import { Lines } from '../draw/Lines.tsx';
import { useTheme } from '../draw/theme-context.tsx';
import { listTop } from '../draw/window-top.ts';
import { isDrawn } from '../layout.ts';
import type { PaneProps } from '../pane/pane-props.ts';
import { selectShownTasks } from './select-shown-tasks.ts';
import { selectTask } from './select-tasks.ts';
import { spinnerOf } from './spinner.ts';
import { TaskGraph } from './TaskGraph.tsx';
import { taskLines } from './task-lines.ts';

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
