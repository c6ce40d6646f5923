import { safe } from '../../src/base/safe.ts';
import { selectTask } from '../../src/store/select-tasks.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { blank, type Line, span } from '../parts/span.ts';

/** The files the last attempt changed; their differences are not collected yet, and it says so. */
export const ChangesPane = ({ view, width, height }: PaneProps) => {
  const task = selectTask(view);
  const changed = (task === null ? undefined : view.session?.tasks.get(task))?.changed ?? [];
  const files: readonly Line[] =
    changed.length === 0
      ? [[span(task === null ? ' No task yet.' : ` ${task} has changed no file so far.`, 'quiet')]]
      : changed.map((file) => [span(' · ', 'quiet'), span(safe(file))]);
  const lines: readonly Line[] = [
    ...files,
    blank,
    [span(' Differences line by line are not shown here yet: git diff has them.', 'quiet')],
  ];
  return <Lines lines={lines} width={width} height={height} />;
};
