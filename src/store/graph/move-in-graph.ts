import { resetLog } from '../output/reduce-log.ts';
import { tasksWith } from '../tasks/select-shown-tasks.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { type GraphView, selectGraph } from './select-graph.ts';
import { type Way, walk } from './walk.ts';

/** Selects another task. Its log is read from the end. */
export const selectsTask = (view: ViewState, task: string | null): ViewState =>
  withUi(view, {
    selected: { ...view.ui.selected, tasks: task },
    tops: { ...view.ui.tops, tasks: null },
    log: task === selectTask(view) ? view.ui.log : resetLog(view.ui.log),
  });

/** Tasks that a page leads over, where a rank is a list. */
const pageSteps = 10;

const ways: { readonly [move in Move]?: readonly [way: Way, steps: number] } = {
  up: ['up', 1],
  down: ['down', 1],
  left: ['left', 1],
  right: ['right', 1],
  'page-up': ['up', pageSteps],
  'page-down': ['down', pageSteps],
  'half-up': ['up', pageSteps / 2],
  'half-down': ['down', pageSteps / 2],
};

/** The view after a step along an edge or to a neighbour. The task in the middle of a window stays until the cursor leaves the window. */
export const moveInGraph = (view: ViewState, by: Move): ViewState => {
  const graph = selectGraph(view);
  const way = ways[by];
  const to = way === undefined ? endOf(graph, by) : walked(graph, ...way);
  return to === null ? view : showing(view, graph, to);
};

/** The view with the first task that has these words, or the next one after the cursor, selected. */
export const lookForTask = (view: ViewState, text: string, by: -1 | 0 | 1): ViewState => {
  const found = tasksWith(view, text);
  const sought = withUi(view, { tasks: { ...view.ui.tasks, find: text } });
  const at = found.indexOf(selectTask(view) ?? '');
  const to = by === 0 ? found[0] : found[(at + by + found.length) % found.length];
  return to === undefined ? sought : showing(sought, selectGraph(view), to);
};

const showing = (view: ViewState, { anchor, members }: GraphView, task: string): ViewState => {
  const moved = selectsTask(view, members.get(task)?.[0] ?? task);
  return withUi(moved, { tasks: { ...moved.ui.tasks, anchor } });
};

const walked = ({ at, layout }: GraphView, way: Way, steps: number): string | null => {
  let to = at;
  for (let step = 0; step < steps && to !== null; step += 1)
    to = walk(layout, to, way) ?? (step === 0 ? null : to);
  return to;
};

const endOf = ({ layout }: GraphView, by: Move): string | null => {
  const drawn = layout.ranks.flat();
  return (by === 'first' ? drawn[0] : drawn.at(-1)) ?? null;
};
