import { memoise } from '../../src/base/memoise.ts';
import { type Beyond, beyondRows } from '../../src/graph/beyond.ts';
import { type Cones, conesOf } from '../../src/graph/cones.ts';
import type { Fitted, Frame } from '../../src/graph/fit.ts';
import type { Box } from '../../src/graph/layout.ts';
import type { LineTone } from '../../src/graph/paint.ts';
import type { Shape } from '../../src/graph/shape.ts';
import { count } from '../../src/words/local-time.ts';
import { attemptMark } from '../../src/words/task-status.ts';
import { widthOf } from '../../src/words/width.ts';
import { listTop, windowTop } from '../draw/window-top.ts';
import { rowsOf, selectLayout } from '../layout.ts';
import type { ViewState } from '../view.ts';
import { withWork } from './drawn-graph.ts';
import { cyclesBelow, selectDrawing, sentenceRows } from './select-drawing.ts';
import { selectTask, selectTasks, type TaskLine, type TaskTable } from './select-tasks.ts';

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

/** Pieces of a sentence below the drawing. */
export type Sentence = readonly {
  readonly text: string;
  readonly tone: 'text' | 'secondary' | 'failed' | Extract<LineTone, 'before' | 'after' | 'chain'>;
}[];

/** The graph as drawn in the Tasks pane of this screen. */
export const selectGraph = (view: ViewState): GraphView => {
  const place = selectLayout(view);
  const rows = rowsOf(place, 'tasks');
  const room = sentenceRows(view, rows);
  const frame = { width: place.left, height: rows - room };
  const graph = graphIn(view, place.drawing ?? frame, frame);
  if (room === 0) return graph;
  const cycles = cyclesBelow(view, rows).map((text): Sentence => [{ text, tone: 'failed' }]);
  return { ...graph, sentences: [...cycles, about(view, graph, place.left - 1)] };
};

/** The graph fitted into a room, and the part of it in sight of a frame. */
export const graphIn = (view: ViewState, room: Frame, frame: Frame, timed = true): GraphView => {
  const table = selectTasks(view);
  const { selected, tops } = view.ui;
  const { folded, fitted, drawn, anchor } = selectDrawing(view, room, timed);
  const { shape, members } = folded;
  const { layout } = fitted;
  const at = layout.boxes.has(drawn ?? '') ? drawn : null;
  const [row, column] = middleOf(layout, at, frame);
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
    sentences: [],
  };
};

/** The row and the column to show in the middle: of a task with its parents and children as far as the frame has room, else of the task alone. */
const middleOf = (
  { boxes, edges }: GraphView['layout'],
  at: string | null,
  frame: Frame,
): readonly [row: number, column: number] => {
  const own = boxes.get(at ?? '');
  if (own === undefined) return [0, 0];
  const family = edges
    .filter(({ blocker, task }) => blocker === at || task === at)
    .flatMap(({ blocker, task }) => boxes.get(blocker === at ? task : blocker) ?? []);
  const middle = (start: (box: Box) => number, length: (box: Box) => number, room: number): number => {
    const all = [own, ...family];
    const first = Math.min(...all.map(start));
    const last = Math.max(...all.map((box) => start(box) + length(box)));
    return last - first <= room ? Math.floor((first + last) / 2) : start(own) + Math.floor(length(own) / 2);
  };
  return [
    middle(
      ({ y }) => y,
      ({ height }) => height,
      frame.height,
    ),
    middle(
      ({ x }) => x,
      ({ width }) => width,
      frame.width,
    ),
  ];
};

const chainOf = memoise(({ lines, ids }: TaskTable): ReadonlySet<string> => {
  // The rows are in the order of the waves, and so is the chain.
  const chain = ids.filter((id) => lines.get(id)?.chain);
  return new Set(chain.slice(1).map((id, index) => `${chain[index]} ${id}`));
});

/**
 * The task under the cursor in one line: its title, its state, how many wait for it. While its edges stand out, what it waits for and what waits
 * for it have their tones, as a legend of them.
 */
const about = (view: ViewState, { at, cones, layout, shape }: GraphView, width: number): Sentence => {
  const table = selectTasks(view);
  const task = selectTask(view);
  const line = table.lines.get(task ?? '');
  const after = withWork(table.graph.dependantsOf.get(task ?? '') ?? [], table.graph).length;
  const afterWords = `${line?.look === 'done' ? 'followed by' : 'blocks'} ${count(after, 'task')}`;
  const blockers = table.graph.blockersOf.get(task ?? '') ?? [];
  const marked = cones !== null && at !== null;
  const isWaiting = line?.look === 'waiting';
  const [drawn, all] = [layout.boxes.size, shape.ids.length];
  const name = line === undefined ? '' : line.title === '' ? line.id : `${line.id}: ${line.title}`;
  const left = width - widthOf(name) - gap.text.length;
  const parts: Sentence = [
    { text: name, tone: 'text' },
    {
      text: line === undefined ? '' : `${fittingWord(line, left)}${attemptMark(line)}`,
      tone: marked && isWaiting ? 'before' : 'text',
    },
    {
      text: marked && !isWaiting && blockers.length > 0 ? `after ${blockers.join(', ')}` : '',
      tone: 'before',
    },
    { text: after === 0 ? '' : afterWords, tone: marked ? 'after' : 'text' },
    {
      text: line?.chain ? 'on the longest chain' : '',
      tone: marked ? 'text' : 'chain',
    },
    { text: drawn < all ? `${drawn} of ${all} shown` : '', tone: 'secondary' },
  ];
  let room = width + gap.text.length;
  // A part that does not fit is left out whole. The name always stays.
  const fitting = parts.filter(({ text }, index) => {
    const cells = widthOf(text) + gap.text.length;
    if (text === '' || (index > 0 && cells > room)) return false;
    room -= cells;
    return true;
  });
  return fitting.flatMap((part, index) => (index === 0 ? [part] : [gap, part]));
};

/** A reason that does not fit is left out: what became of the task is not. */
const fittingWord = ({ word, brief, short }: TaskLine, room: number): string =>
  [word, brief, short].find((each) => widthOf(each) <= room) ?? word.replace(/: .*/s, '');

const gap = { text: ' · ', tone: 'secondary' } as const;

/** Whether finished tasks are folded in the drawing: by choice, or for room. */
export const selectIsFolded = (view: ViewState): boolean =>
  view.ui.tasks.folded ?? selectGraph(view).members.size > 0;
