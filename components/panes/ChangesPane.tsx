import { withKeys } from '../../src/keymap/table.ts';
import { readingOf } from '../../src/store/panes/reading.ts';
import { type ChangeLine, selectChanges } from '../../src/store/tasks/select-changes.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { blank, bold, type Line, span, spread } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';
import type { Theme } from '../theme.ts';

/** The files that the task's attempt or the session changed, and how. When git cannot tell, says what is missing. */
export const ChangesPane = ({ view, width, height }: PaneProps) => {
  const theme = useTheme();
  const { lines, title } = selectChanges(view);
  const head: Line = [
    span(title === '' ? '' : ` ${title}`, 'accent'),
    span(
      title === ''
        ? ''
        : withKeys(view, ` · {read.scope} shows ${view.ui.scope === 'task' ? 'the session' : 'the task'}`),
      'quiet',
    ),
  ];
  const room = Math.max(1, height - 1);
  const top = Math.min(readingOf(view.ui, 'changes').top ?? 0, Math.max(0, lines.length - room));
  const shown = lines.slice(top, top + room).map((line) => changeLine(line, width, theme));
  return <Lines lines={[head, ...shown]} width={width} height={height} />;
};

const changeLine = (line: ChangeLine, width: number, theme: Theme): Line => {
  switch (line.kind) {
    case 'blank':
      return blank;
    case 'file':
      return spread([span(' · ', 'quiet'), span(line.text)], counts(line), width, theme);
    case 'text':
      return [bold(` ${line.text}`)];
    case 'missing':
      return [span(` ${line.text}`, 'quiet')];
    case 'hunk':
      return [span(` ${line.text}`, 'accent')];
    case 'added':
      return [span(` ${line.text}`, 'good')];
    case 'removed':
      return [span(` ${line.text}`, 'bad')];
    case 'context':
      return [span(` ${line.text}`, 'quiet')];
  }
};

const counts = ({ added, removed }: ChangeLine): Line =>
  typeof added === 'number' && typeof removed === 'number'
    ? [span(`+${added} `, 'good'), span(`−${removed} `, 'bad')]
    : [];
