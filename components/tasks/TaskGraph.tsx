import { useMemo } from 'react';
import { Lines } from '../draw/Lines.tsx';
import { type Line, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import type { PaneProps } from '../pane/pane-props.ts';
import { graphLines, lineTones } from './graph-lines.ts';
import { type Sentence, selectGraph } from './select-graph.ts';
import { selectTasks } from './select-tasks.ts';
import { spinnerOf } from './spinner.ts';

/** The drawn graph, and below it what it says about the task under the cursor. */
export const TaskGraph = ({ view, now, width, height, focused }: PaneProps) => {
  const theme = useTheme();
  const { session, planned, connection, ui } = view;
  const second = Math.floor(now.ms / 1_000);
  const spinner = spinnerOf(view, now, theme);
  const turned = spinner === null ? '' : [spinner.sign, ...spinner.tasks].join(' ');
  // What agents print changes the view many times a second, and nothing of the graph.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the parts of the view and of the time that the drawing shows
  const lines = useMemo(() => {
    const graph = selectGraph(view);
    const drawn = graphLines(graph, {
      lines: selectTasks(view).lines,
      now,
      width,
      theme,
      focused,
      spinner,
    });
    return [...drawn, ...graph.sentences.map(sentenceLine)];
  }, [session, planned, connection, ui, second, turned, now.offset, width, height, theme, focused]);
  return <Lines lines={lines} width={width} height={height} />;
};

const sentenceLine = (pieces: Sentence): Line => [
  span(' '),
  ...pieces.map(({ text, tone }) =>
    span(text, tone === 'text' || tone === 'secondary' || tone === 'failed' ? tone : lineTones[tone]),
  ),
];
