import { memoise, memoiseLast } from '../../src/base/memoise.ts';
import type { Graph } from '../../src/tasks/graph.ts';
import { usualWidth } from '../../src/words/usual-width.ts';
import { widthOf } from '../../src/words/width.ts';
import type { ViewState } from '../view.ts';
import { selectTasks, type TaskLine } from './select-tasks.ts';

/** Cells in which most rows of the Tasks pane show id, title and a usual status. Follows the plan, not the work: the panes keep still. */
export const selectTasksWidth = (view: ViewState): number => {
  const { graph, lines } = selectTasks(view);
  return widthOfRows(graph, lines);
};

/** Cells in which most rows show their ids whole beside a short status. */
export const selectIdsWidth = (view: ViewState): number => widthOfIds(selectTasks(view).graph);

const widthOfIds = memoise(
  ({ waves }: Graph): number => beforeId + usualWidth(waves.flat().map(widthOf)) + leastStatus,
);

/** One graph is one set of definitions. */
const widthOfRows = memoiseLast(
  () => true,
  (_graph: Graph, lines: ReadonlyMap<string, TaskLine>): number => {
    const rows = [...lines.values()];
    const ids = usualWidth(rows.map(({ id }) => widthOf(id)));
    return usualWidth(
      rows.map(({ id, title }) => {
        const name = Math.max(ids, widthOf(id));
        return beforeId + name + (title === id ? 0 : 2 + widthOf(title)) + usualStatus;
      }),
    );
  },
);

/** Cursor, branch, glyph and the blanks between them. */
const beforeId = 5;

/** " running  0:07 ". */
const leastStatus = 15;

/** "  running 12:05 ". */
const usualStatus = 16;
