import type { LocalTime } from '../../src/words/local-time.ts';
import { rowLine } from '../details/text-row-line.ts';
import type { TextRow } from '../details/text-rows.ts';
import { Modal } from '../draw/Modal.tsx';
import type { OverlayProps } from '../draw/overlay-props.ts';
import { overlayRows } from '../draw/page.ts';
import { blank, fillLine, type Line, span } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import { useTheme } from '../draw/theme-context.tsx';
import { graphLines } from '../tasks/graph-lines.ts';
import { type TaskListDrawing, taskListBox } from './task-list.ts';

/** What a run for an issue is going to do, before it starts. */
export const TaskList = ({ view, overlay, now, hints, columns, rows }: OverlayProps<'task-list'>) => {
  const theme = useTheme();
  const box = taskListBox(overlay, { columns, rows });
  const drawn = (row: TextRow): Line => rowLine(row, view, theme);
  const all = box.text.map(drawn);
  const lines =
    box.drawing === null
      ? windowOf(all, overlay.top, rows)
      : [...all, blank, ...drawing(box.drawing, box.beside.map(drawn), { width: box.width - 4, now, theme })];
  const { width } = box;
  return (
    <Modal title={overlay.title} lines={lines} hints={hints} columns={columns} rows={rows} width={width} />
  );
};

const windowOf = (all: readonly Line[], from: number, rows: number): readonly Line[] => {
  const height = Math.max(1, overlayRows(rows) - 2);
  const top = Math.max(0, Math.min(from, all.length - height));
  const below = all.length - top - height;
  return [
    ...all.slice(top, top + height),
    blank,
    [span(below > 0 ? ` ${below} more below` : '', 'secondary')],
  ];
};

/** The drawn tasks, with their list beside them where it says more. */
const drawing = (
  { graph, lines }: TaskListDrawing,
  list: readonly Line[],
  look: { readonly width: number; readonly now: LocalTime; readonly theme: Theme },
): readonly Line[] => {
  const { theme, width } = look;
  const rows = Math.max(graph.rows, list.length);
  const cells = list.length === 0 ? width : graph.layout.width;
  const drawn = graphLines(
    { ...graph, rows },
    { ...look, width: cells, lines, focused: true, spinner: null },
  );
  return list.length === 0
    ? drawn
    : drawn.map((line, row) => [
        ...fillLine(line, cells, theme),
        span(` ${theme.glyphs.bar} `, 'furniture'),
        ...(list[row] ?? []),
      ]);
};
