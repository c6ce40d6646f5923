import { memoise } from '../../base/memoise.ts';
import { type Beyond, beyondRows } from '../../graph/beyond.ts';
import { type Cones, conesOf } from '../../graph/cones.ts';
import { anchorOf, drawingOf, shapeOf } from '../../graph/drawn-shape.ts';
import type { Fitted } from '../../graph/fit.ts';
import type { Shape } from '../../graph/shape.ts';
import { cyclePath, cycleText } from '../../tasks/cycle-path.ts';
import type { Graph } from '../../tasks/graph.ts';
import { count } from '../../words/local-time.ts';
import { rowsOf, selectLayout } from '../layout.ts';
import { listTop, windowTop } from '../text/window-top.ts';
import type { ViewState } from '../view.ts';
import { selectShownTasks } from './select-shown-tasks.ts';
import { selectTask, selectTasks, type TaskTable } from './select-tasks.ts';

/** The drawn graph of the Tasks pane, and the part of it in sight. */
export interface GraphView extends Fitted {
  /** The finished tasks behind each folded one. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** The drawn task under the cursor. */
  readonly at: string | null;
  /** What blocks the chosen task and what it blocks. `null` while none is chosen. */
  readonly cones: Cones | null;
  /** Edges on the longest chain of remaining tasks, as "blocker task". */
  readonly chain: ReadonlySet<string>;
  readonly anchor: string | null;
  /** All tasks that could be drawn. A window draws those around the anchor. */
  readonly shape: Shape;
  readonly top: number;
  readonly left: number;
  /** What the drawing has above and below that. */
  readonly beyond: Beyond;
  /** Rows of the drawing in sight. The sentences have the rest. */
  readonly rows: number;
  readonly sentences: readonly Sentence[];
}

export interface Sentence {
  readonly text: string;
  readonly tone: 'secondary' | 'failed';
}

/** A lower pane has no room for sentences. */
const sentencesFrom = 10;

/** The graph as drawn in the Tasks pane of this screen. */
export const selectGraph = (view: ViewState): GraphView => {
  const table = selectTasks(view);
  const { tasks, selected, tops } = view.ui;
  const place = selectLayout(view);
  const task = selectTask(view);
  const ids = selectShownTasks(view).ids;
  const folded = shapeOf(table.graph, { ids, folded: tasks.folded ? doneIn(table) : null });
  const { shape, members } = folded;
  const drawn = [...members].find(([, each]) => task !== null && each.includes(task))?.[0] ?? task;
  const cycles = rowsOf(place, 'tasks') < sentencesFrom ? [] : cyclesOf(table.graph);
  const told = rowsOf(place, 'tasks') < sentencesFrom ? 0 : 1 + cycles.length;
  const frame = { width: place.left, height: rowsOf(place, 'tasks') - told };
  const anchor = anchorOf(shape, tasks.anchor, drawn);
  const fitted = drawingOf(folded, { anchor, ...frame });
  const { layout } = fitted;
  const box = layout.boxes.get(drawn ?? '');
  const at = box === undefined ? null : drawn;
  const [row, column] = [
    (box?.y ?? 0) + Math.floor((box?.height ?? 0) / 2),
    (box?.x ?? 0) + Math.floor((box?.width ?? 0) / 2),
  ];
  const top = listTop(tops.tasks, layout.height, row, frame.height);
  return {
    ...fitted,
    members,
    at,
    cones: at !== null && selected.tasks !== null ? conesOf(layout.edges, at) : null,
    chain: chainOf(table),
    anchor,
    shape,
    top,
    beyond: beyondRows(shape, layout, top, frame.height),
    left: windowTop(layout.width, column, frame.width),
    rows: frame.height,
    sentences: told === 0 ? [] : [...cycles, about(table, task, layout.boxes.size, shape.ids.length)],
  };
};

const doneIn = memoise(({ lines, ids }: TaskTable): readonly string[] =>
  ids.filter((id) => {
    const look = lines.get(id)?.look;
    return look === 'done' || look === 'replaced' || look === 'cancelled';
  }),
);

/** Two tasks are a chain wherever one waits for another: that says nothing. */
const shortestChain = 3;

const chainOf = memoise(({ lines, ids }: TaskTable): ReadonlySet<string> => {
  // The rows are in the order of the waves, and so is the chain.
  const chain = ids.filter((id) => lines.get(id)?.chain);
  if (chain.length < shortestChain) return new Set();
  return new Set(chain.slice(1).map((id, index) => `${chain[index]} ${id}`));
});

const cyclesOf = memoise(({ cycles, blockersOf }: Graph): readonly Sentence[] =>
  cycles.map((members) => ({
    text: `cycle: ${cycleText(cyclePath(members, blockersOf))}`,
    tone: 'failed',
  })),
);

/** The task under the cursor in one line: its title, what it waits for, how many wait for it. */
const about = (table: TaskTable, task: string | null, drawn: number, all: number): Sentence => {
  const line = table.lines.get(task ?? '');
  const blocks = table.graph.dependantsOf.get(task ?? '')?.length ?? 0;
  const parts = [
    line === undefined ? '' : line.title === '' ? line.id : `${line.id}: ${line.title}`,
    line?.word ?? '',
    blocks === 0 ? '' : `blocks ${count(blocks, 'task')}`,
    line?.chain && table.chain >= shortestChain ? 'on the longest chain' : '',
    drawn < all ? `${drawn} of ${all} drawn` : '',
  ];
  return { text: parts.filter((part) => part !== '').join(' · '), tone: 'secondary' };
};
