import { isAlong, type Way, walk } from '../../src/graph/walk.ts';
import { resetLog } from '../draw/log-view.ts';
import type { Move } from '../ui-action.ts';
import type { ViewState } from '../view.ts';
import { withUi } from '../with-ui.ts';
import { type GraphView, selectGraph } from './select-graph.ts';
import { tasksWith } from './select-shown-tasks.ts';
import { selectTask } from './select-tasks.ts';

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

/**
 * The view after a step along an edge or to a neighbour. The task in the middle of a window stays until a step leads out of the window: then
 * the window is drawn around the cursor. A cursor that the drawing does not show goes to the first task.
 */
export const moveInGraph = (view: ViewState, by: Move): ViewState => {
  const way = ways[by];
  const graph = selectGraph(view);
  if (way !== undefined && graph.at !== null) return walked(view, ...way);
  const to = endOf(graph, by);
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

const walked = (view: ViewState, way: Way, steps: number): ViewState => {
  let at = view;
  for (let step = 0; step < steps; step += 1) {
    const next = stepFrom(at, way);
    if (next === null) break;
    at = next;
  }
  return at;
};

const stepFrom = (view: ViewState, way: Way): ViewState | null => {
  const graph = selectGraph(view);
  if (graph.at === null) return null;
  if (view.ui.tasks.as === null && (way === 'up' || way === 'down')) {
    const next = nextInOrder(graph, graph.at, way === 'down' ? 1 : -1);
    return next === null ? null : showing(view, graph, next);
  }
  const aim = aimOf(view, graph.at);
  const to = walk(graph.layout, graph.at, way, aim);
  if (to !== null) {
    const moved = showing(view, graph, to);
    return isAlong(graph.layout, way) ? withRow(moved, aim) : moved;
  }
  const isWindow = graph.anchor !== null;
  return isWindow ? stepOut(view, graph, graph.at, way) : null;
};

/** Where nobody asked for the graph, the keys of a list lead through all tasks, rank by rank. */
const nextInOrder = ({ layout }: GraphView, at: string, by: 1 | -1): string | null => {
  const order = layout.ranks.flat();
  return order[order.indexOf(at) + by] ?? null;
};

/** The task whose row steps along edges keep to, as an editor keeps the column: where the first of them began. */
const aimOf = ({ ui }: ViewState, at: string): string =>
  ui.tasks.row !== null && ui.tasks.row.at === ui.selected.tasks ? ui.tasks.row.of : at;

const withRow = (view: ViewState, of: string): ViewState => {
  const at = view.ui.selected.tasks;
  return withUi(view, { tasks: { ...view.ui.tasks, row: at === null ? null : { at, of } } });
};

/** A step out of the window: along an edge, or to the next task of the wave behind those that are drawn. */
const stepOut = (view: ViewState, graph: GraphView, at: string, way: Way): ViewState | null => {
  const along = isAlong(graph.layout, way);
  const next = along ? at : nextInWave(graph, at, way === 'right' || way === 'down' ? 1 : -1);
  if (next === null) return null;
  const moved = showing(view, { ...graph, anchor: next }, next);
  if (!along) return moved;
  const beyond = walk(selectGraph(moved).layout, at, way);
  return beyond === null ? null : showing(moved, selectGraph(moved), beyond);
};

/** Counts from the outermost drawn task of the wave, not from the cursor: each window is drawn in another order, and keys would lead in circles. */
const nextInWave = ({ shape, layout }: GraphView, at: string, by: 1 | -1): string | null => {
  const wave = shape.waveOf.get(at);
  const own = shape.ids.filter((id) => shape.waveOf.get(id) === wave);
  const isDrawn = (id: string): boolean => layout.boxes.has(id);
  const outermost = by === 1 ? own.findLastIndex(isDrawn) : own.findIndex(isDrawn);
  return own[outermost + by] ?? null;
};

const endOf = ({ layout, shape, anchor }: GraphView, by: Move): string | null => {
  const ends = anchor === null ? layout.ranks.flat() : shape.ids;
  return (by === 'last' ? ends.at(-1) : ends[0]) ?? null;
};
