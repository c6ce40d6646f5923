import { memoise } from '../../src/base/memoise.ts';
import { anchorOf, drawingOf, fitsInBoxes, shapeOf } from '../../src/graph/drawn-shape.ts';
import { type Fitted, type Frame, manyTasks } from '../../src/graph/fit.ts';
import type { Folded } from '../../src/graph/fold.ts';
import { cyclePath, cycleText } from '../../src/tasks/cycle-path.ts';
import type { Graph } from '../../src/tasks/graph.ts';
import type { TaskLook } from '../../src/words/task-status.ts';
import { widthOf } from '../../src/words/width.ts';
import type { ViewState } from '../view.ts';
import { drawnGraph, withWork } from './drawn-graph.ts';
import { selectShownTasks } from './select-shown-tasks.ts';
import { selectTask, selectTasks, type TaskTable } from './select-tasks.ts';

/** The shown tasks, drawn for a frame. */
interface Drawing {
  readonly folded: Folded;
  readonly fitted: Fitted;
  /** The task under the cursor, or the one that its finished part is folded into. */
  readonly drawn: string | null;
  readonly anchor: string | null;
}

/** In a larger graph all finished tasks fold: trying how many it takes lays out the graph several times. */
const searchedTasks = 30;

/**
 * The drawing of the shown tasks in a frame. Unless a person folded or unfolded, the first finished waves fold where the whole does not fit in any form:
 * as many as it takes, and the task under the cursor only where nothing fits beside it. `timed` keeps room for times.
 */
export const selectDrawing = (view: ViewState, frame: Frame, timed = true): Drawing => {
  const table = selectTasks(view);
  const done = doneIn(table);
  const { folded } = view.ui.tasks;
  if (folded !== null) return drawn(view, frame, folded ? done : null, timed);
  const whole = drawn(view, frame, null, timed);
  if (isReadable(whole) || done.length < 2) return whole;
  if (table.ids.length > searchedTasks) return drawn(view, frame, done, timed);
  const task = selectTask(view);
  const { waveOf } = table.graph;
  const waves = [...new Set(done.map((id) => waveOf.get(id) ?? 0))].toSorted((a, b) => a - b);
  const upTo = (index: number): Drawing => {
    const last = waves[index] ?? 0;
    const some = done.filter((id) => id !== task && (waveOf.get(id) ?? 0) <= last);
    return drawn(view, frame, some, timed);
  };
  let [from, most] = [0, waves.length - 1];
  while (from < most) {
    const middle = Math.floor((from + most) / 2);
    if (isReadable(upTo(middle))) most = middle;
    else from = middle + 1;
  }
  const least = upTo(most);
  if (isReadable(least)) return least;
  const all = drawn(view, frame, done, timed);
  return isReadable(all) || !least.fitted.isWhole ? all : least;
};

/** The frame shows all of it, and no id is cut to a few letters. */
const isReadable = ({ fitted }: Drawing): boolean => fitted.isWhole && fitted.detail !== 'tiny';

const drawn = (view: ViewState, frame: Frame, fold: readonly string[] | null, timed: boolean): Drawing => {
  const table = selectTasks(view);
  const task = selectTask(view);
  const ids = withWork(selectShownTasks(view, 'graph').ids, table.graph);
  const folded = shapeOf(drawnGraph(table), { ids, folded: fold });
  const { shape, members } = folded;
  const at = [...members].find(([, each]) => task !== null && each.includes(task))?.[0] ?? task;
  const anchor = anchorOf(shape, view.ui.tasks.anchor, at);
  const fitted = drawingOf(folded, { anchor, ...frame, timed, titles: wordsOf(table, folded) });
  return { folded, fitted, drawn: at, anchor };
};

const titlesOf = ({ lines }: TaskTable, { shape, members }: Folded): readonly string[] =>
  shape.ids.length > manyTasks
    ? []
    : shape.ids.map((id) => lines.get(id)?.title ?? members.get(id)?.join(', ') ?? '');

/** The titles, and what stands in the place of one for longer than a moment, where that is longer. */
const wordsOf = (table: TaskTable, folded: Folded): readonly string[] =>
  titlesOf(table, folded).map((title, index) => {
    const line = table.lines.get(folded.shape.ids[index] ?? '');
    const word = line !== undefined && lastingLooks.includes(line.look) ? line.brief : '';
    return widthOf(word) > widthOf(title) ? word : title;
  });

const lastingLooks: readonly TaskLook[] = ['asks', 'failed', 'again', 'unreachable'];

const doneIn = memoise(({ lines, ids }: TaskTable): readonly string[] =>
  ids.filter((id) => {
    const look = lines.get(id)?.look;
    return look === 'done' || look === 'replaced' || look === 'cancelled';
  }),
);

/**
 * Whether the tasks are drawn where nobody chose a form: all of them fit in boxes, and something waits for something. Finished parts count as
 * unfolded, and the rows as they are without signals, so that the form stays while the session runs.
 */
export const fitsDrawn = (view: ViewState, frame: Frame, timed = true): boolean => {
  const { session, planned } = view;
  if (session === null ? !planned : session.mode === 'loop') return false;
  const table = selectTasks(view);
  const { graph } = table;
  const ids = withWork(table.ids, graph);
  if (ids.length > manyTasks || !ids.some((id) => (graph.blockersOf.get(id)?.length ?? 0) > 0)) return false;
  const whole = shapeOf(drawnGraph(table), { ids, folded: null });
  return fitsInBoxes(whole, { anchor: null, ...frame, timed, titles: titlesOf(table, whole) });
};

/** A lower pane has no room for sentences. */
const sentencesFrom = 10;

/** The cycles that are named below a drawing of so many rows. */
export const cyclesBelow = (view: ViewState, rows: number): readonly string[] =>
  rows < sentencesFrom ? [] : cyclesOf(selectTasks(view).graph);

/** Rows that the drawing leaves to the sentences below it. */
export const sentenceRows = (view: ViewState, rows: number): number =>
  rows < sentencesFrom ? 0 : 1 + cyclesBelow(view, rows).length;

const cyclesOf = memoise(({ cycles, blockersOf }: Graph): readonly string[] =>
  cycles.map((members) => `cycle: ${cycleText(cyclePath(members, blockersOf))}`),
);
