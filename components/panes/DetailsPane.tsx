import { withKeys } from '../../src/keymap/table.ts';
import { readingOf } from '../../src/store/panes/reading.ts';
import { detailRows, type TextRow } from '../../src/store/tasks/text-rows.ts';
import type { ViewState } from '../../src/store/view.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { blank, bold, type Line, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** Everything known about the selected task. */
export const DetailsPane = ({ view, width, height }: PaneProps) => {
  const theme = useTheme();
  const rows = detailRows(view, width);
  const top = Math.min(readingOf(view.ui, 'details').top ?? 0, Math.max(0, rows.length - height));
  const lines = rows.slice(top, top + height).map((row) => rowLine(row, view, theme));
  return <Lines lines={lines} width={width} height={height} />;
};

const rowLine = ({ kind, text, first }: TextRow, view: ViewState, theme: Theme): Line => {
  switch (kind) {
    case 'blank':
      return blank;
    case 'title':
      return [bold(` ${text}`)];
    case 'heading':
      return [span(` ${text}`, 'accent')];
    case 'choice':
      return [
        span(` ${text}`, 'accent'),
        span(withKeys(view, ' ({read.earlier-attempt} {read.later-attempt} chooses)'), 'accent'),
      ];
    case 'sub':
      return [bold(` ${text}`)];
    case 'text':
      return [span(` ${text}`)];
    case 'item':
      return [span(first ? ' · ' : '   ', 'quiet'), span(text)];
    case 'chosen':
      return [span(first ? ` ${theme.glyphs.cursor} ` : '   ', 'accent'), bold(text)];
    case 'code':
      return [span(`   ${text}`, 'quiet')];
    case 'good':
    case 'bad':
      return [span(` ${text}`, kind)];
  }
};
