import { taskListRows, taskListWidth } from '../../src/store/overlays/task-list.ts';
import { overlayRows } from '../../src/store/text/page.ts';
import { Modal } from '../parts/Modal.tsx';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { blank, type Line, span } from '../parts/span.ts';
import { rowLine } from '../parts/text-row-line.ts';
import { useTheme } from '../parts/theme-context.ts';

/** What a run for an issue is going to do, before it starts. */
export const TaskList = ({ view, overlay, hints, columns, rows }: OverlayProps<'task-list'>) => {
  const theme = useTheme();
  const all = taskListRows(overlay, columns);
  const height = Math.max(1, overlayRows(rows) - 2);
  const top = Math.max(0, Math.min(overlay.top, all.length - height));
  const below = all.length - top - height;
  const lines: readonly Line[] = [
    ...all.slice(top, top + height).map((row) => rowLine(row, view, theme)),
    blank,
    [span(below > 0 ? ` ${below} more below` : '', 'secondary')],
  ];
  return (
    <Modal
      title={overlay.title}
      lines={lines}
      hints={hints}
      columns={columns}
      rows={rows}
      width={taskListWidth(columns)}
    />
  );
};
