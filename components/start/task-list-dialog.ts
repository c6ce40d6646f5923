import { act, always, perform } from '../command.ts';
import { rowLine } from '../details/text-row-line.ts';
import { closing } from '../dialog/closing.ts';
import type { DialogLook, TextDialog } from '../dialog/dialog.ts';
import { blank, fillLine, type Line, span } from '../draw/span.ts';
import { runIssue } from '../in-lines.ts';
import { quit } from '../leave/quit.ts';
import { graphLines } from '../tasks/graph-lines.ts';
import type { TaskListOverlay } from './start-list.ts';
import { type TaskListDrawing, taskListBox } from './task-list.ts';

/** What a run for an issue is going to do, before it starts. */
export const taskListDialog: TextDialog<TaskListOverlay> = {
  moves: 'text',
  widest: (shown, size) => taskListBox(shown, size).width,
  title: (_view, { title }) => title,
  lines: (_view, shown, look) => {
    const box = taskListBox(shown, look);
    const text = box.text.map((row) => rowLine(row, look.theme));
    const beside = box.beside.map((row) => rowLine(row, look.theme));
    return [...text, blank, ...(box.drawing === null ? [] : drawing(box.drawing, beside, look))];
  },
  commands: [
    {
      id: 'task-list.start',
      context: 'task-list',
      // Not Enter, which chose the issue: pressed twice by habit it would start paid work unread.
      keys: ['y'],
      label: 'start',
      description: 'start the listed tasks',
      group: 'Arrive',
      inLines: runIssue,
      footer: 1,
      available: always,
      run: (view) => {
        const top = view.ui.overlays.at(-1);
        return top?.kind === 'task-list' ? [act({ type: 'overlay-closed' }), perform(top.intent)] : [];
      },
    },
    {
      ...closing('task-list', ['escape', 'q', 'ctrl-c']),
      label: 'start nothing',
      description: 'start nothing',
      // Without anything below it the screen closes too.
      run: (view) =>
        view.session === null && view.ui.overlays.length === 1
          ? quit(view)
          : [act({ type: 'overlay-closed' })],
    },
  ],
};

/** The drawn tasks, with their list beside them where it says more. */
const drawing = (
  { graph, lines }: TaskListDrawing,
  list: readonly Line[],
  { theme, width, now }: DialogLook,
): readonly Line[] => {
  const rows = Math.max(graph.rows, list.length);
  const cells = list.length === 0 ? width : graph.layout.width;
  const drawn = graphLines(
    { ...graph, rows },
    { theme, now, width: cells, lines, focused: true, spinner: null },
  );
  return list.length === 0
    ? drawn
    : drawn.map((line, row) => [
        ...fillLine(line, cells, theme),
        span(` ${theme.glyphs.bar} `, 'furniture'),
        ...(list[row] ?? []),
      ]);
};
