import { readingOf } from '../../src/store/reading.ts';
import { detailRows } from '../../src/store/tasks/text-rows.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { rowLine } from '../parts/text-row-line.ts';
import { useTheme } from '../parts/theme-context.ts';

/** Everything known about the selected task. */
export const DetailsPane = ({ view, width, height, now, focused }: PaneProps) => {
  const theme = useTheme();
  const rows = detailRows(view, width, now);
  const top = Math.min(readingOf(view.ui, 'details').top ?? 0, Math.max(0, rows.length - height));
  const lines = rows.slice(top, top + height).map((row) => rowLine(row, view, theme, focused));
  return <Lines lines={lines} width={width} height={height} />;
};
