import { memoise } from '../../src/base/memoise.ts';
import { drawingOf, fitsInBoxes, shapeOf } from '../../src/graph/drawn-shape.ts';
import { buildGraph } from '../../src/tasks/graph.ts';
import { longestChain } from '../../src/tasks/longest-chain.ts';
import { widthOf } from '../../src/words/width.ts';
import { type TextRow, textRows } from '../details/text-rows.ts';
import { overlayRows } from '../draw/page.ts';
import type { GraphView } from '../tasks/select-graph.ts';
import type { TaskLine } from '../tasks/select-tasks.ts';
import type { ListedTask, TaskListOverlay } from './start-list.ts';

/** The dialog with the tasks of a run. */
interface TaskListBox {
  readonly width: number;
  /** Its text: with the list of the tasks where they are not drawn. */
  readonly text: readonly TextRow[];
  /** The list beside a drawing that has no room for titles. */
  readonly beside: readonly TextRow[];
  /** The tasks as a drawn graph, where all of it fits below the text. */
  readonly drawing: TaskListDrawing | null;
}

export interface TaskListDrawing {
  readonly graph: GraphView;
  readonly lines: ReadonlyMap<string, TaskLine>;
}

export const taskListBox = (
  { about, list, tasks }: TaskListOverlay,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): TaskListBox => {
  const usual = Math.min(110, columns - 4);
  const words = textRows(about, usual - 4);
  const room = { width: Math.min(150, columns - 4) - 4, height: overlayRows(rows) - words.length - 1 };
  const titled = drawn(tasks, room, titleOf);
  if (titled === null)
    return { width: usual, text: textRows([...about, ...list], usual - 4), beside: [], drawing: null };
  const bare = saysTitles(titled, tasks) ? null : drawn(tasks, room, () => '');
  const beside = bare === null ? [] : listBeside(list, room, bare.graph.layout.width);
  const drawing = bare === null || beside.length === 0 ? titled : bare;
  const across =
    drawing.graph.layout.width + Math.max(0, ...beside.map(({ text }) => widthOf(text) + besideCells));
  return { width: Math.max(usual, across + 4), text: words, beside, drawing };
};

const titleOf = ({ title }: ListedTask): string => title;

/** Whether the boxes say what their tasks are: a second row always does, one row where it is not cut. */
const saysTitles = ({ graph: { layout } }: TaskListDrawing, tasks: readonly ListedTask[]): boolean =>
  layout.form.lines > 1 ||
  tasks.every(({ id, title }) => {
    const width = layout.boxes.get(id)?.width ?? 0;
    return widthOf(id) + widthOf(title) + aroundWords <= width;
  });

/** Cells of a box of one row beside the id and the title: its frame, a mark, a gap, and blanks at both ends. */
const aroundWords = 8;

/** A bar between drawing and list, and the marks of the list's items. */
const besideCells = 6;

/** The list beside a drawing, where none of its lines must be broken. */
const listBeside = (
  list: TaskListOverlay['list'],
  { width, height }: { readonly width: number; readonly height: number },
  drawn: number,
): readonly TextRow[] => {
  const rows = textRows(list, width - drawn - besideCells + 3).slice(1);
  return rows.length <= height && rows.every(({ first }) => first) ? rows : [];
};

const drawn = (
  tasks: readonly ListedTask[],
  room: { readonly width: number; readonly height: number },
  wordsOf: (task: ListedTask) => string,
): TaskListDrawing | null => {
  if (!tasks.some(({ blockedBy }) => blockedBy.length > 0)) return null;
  const { graph, chain, lines } = graphOf(tasks);
  const ids = graph.waves.flat();
  const folded = shapeOf(graph, { ids, folded: null });
  const byId = new Map(tasks.map((task) => [task.id, wordsOf(task)]));
  const titles = ids.map((id) => byId.get(id) ?? '');
  const place = { anchor: null, ...room, timed: false, titles };
  if (!fitsInBoxes(folded, place)) return null;
  const fitted = drawingOf(folded, place);
  const still = { at: null, cones: null, anchor: null, top: 0, left: 0, sentences: [] };
  return {
    graph: {
      ...fitted,
      ...folded,
      ...still,
      chain: new Set(chain.slice(1).map((id, index) => `${chain[index]} ${id}`)),
      beyond: { above: null, below: null },
      rows: fitted.layout.height,
    },
    lines,
  };
};

/** Once for an overlay, so that the drawing is laid out once. Nothing has begun: each task is ready, or waits. */
const graphOf = memoise((tasks: readonly ListedTask[]) => {
  const graph = buildGraph(tasks.map((task) => ({ ...task, replaced_by: [] })));
  const chain = longestChain(graph, () => true);
  const line = ({ id, title }: ListedTask): TaskLine => ({
    kind: 'task',
    id,
    title,
    look: (graph.blockersOf.get(id) ?? []).length === 0 ? 'ready' : 'waiting',
    word: '',
    brief: '',
    short: '',
    lead: '',
    names: [],
    attempt: 0,
    agent: null,
    since: null,
    tookMs: null,
    uncommitted: null,
    last: false,
    chain: chain.includes(id),
    partOf: null,
  });
  return { graph, chain, lines: new Map(tasks.map((task) => [task.id, line(task)])) };
});
