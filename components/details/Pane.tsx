import { Lines } from '../draw/Lines.tsx';
import { useTheme } from '../draw/theme-context.tsx';
import type { PaneProps } from '../pane/pane-props.ts';
import { readingOf } from '../reading.ts';
import { withKeys } from '../table.ts';
import { rowLine } from './text-row-line.ts';
import { detailRows } from './text-rows.ts';

/** Everything known about the selected task. */
export const DetailsPane = ({ view, width, height, now, focused }: PaneProps) => {
  const theme = useTheme();
  const rows = detailRows(view, width, now);
  const top = Math.min(readingOf(view.ui, 'details').top ?? 0, Math.max(0, rows.length - height));
  const choose = withKeys(view, ' ({read.earlier-attempt} {read.later-attempt} choose)');
  const lines = rows.slice(top, top + height).map((row) => rowLine(row, theme, { focused, choose }));
  return <Lines lines={lines} width={width} height={height} />;
};
