import { memoiseLast } from '../base/memoise.ts';
import type { Graph } from '../tasks/graph.ts';
import { widthOf, wrap } from '../words/width.ts';
import { type Detail, type Fitted, fitGraph } from './fit.ts';
import { type Folded, foldDone } from './fold.ts';
import type { Shape } from './shape.ts';
import { around, maxDrawn } from './window.ts';

/** What the drawing shows of the graph. */
interface Excerpt {
  readonly ids: readonly string[];
  /** Finished tasks to fold. `null` folds none. */
  readonly folded: readonly string[] | null;
}

const isSameList = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one === other ||
  (one !== null &&
    other !== null &&
    one.length === other.length &&
    one.every((id, index) => id === other[index]));

const isSameExcerpt = (one: Excerpt, other: Excerpt): boolean =>
  isSameList(one.ids, other.ids) && isSameList(one.folded, other.folded);

const unfolded = memoiseLast<Graph, Excerpt, Folded>(isSameExcerpt, ({ waveOf, blockersOf }, { ids }) => ({
  shape: { ids, waveOf, blockersOf },
  members: new Map(),
}));

/** The steps of a search for how much to fold. */
const foldsKept = 8;

const folded = memoiseLast<Graph, Excerpt, Folded>(
  isSameExcerpt,
  (graph, excerpt) => {
    const done = new Set(excerpt.folded);
    return foldDone(unfolded(graph, { ...excerpt, folded: null }).shape, (id) => done.has(id));
  },
  foldsKept,
);

/** The shown tasks with their edges, folded on request. Computed once per graph and excerpt, for both at the same time. */
export const shapeOf = (graph: Graph, excerpt: Excerpt): Folded =>
  excerpt.folded === null ? unfolded(graph, excerpt) : folded(graph, excerpt);

/** The place and the size of the drawing. */
interface Place {
  /** The task in the middle, where not all tasks are drawn. */
  readonly anchor: string | null;
  readonly width: number;
  readonly height: number;
  /** Titles of the tasks, in the order of the shape's ids; none for a graph with too many tasks for them. */
  readonly titles: readonly string[];
  /** Keeps room for the time of each task. */
  readonly timed: boolean;
}

const isSamePlace = (one: Place, other: Place): boolean =>
  one.anchor === other.anchor &&
  one.width === other.width &&
  one.height === other.height &&
  one.timed === other.timed &&
  isSameList(one.titles, other.titles);

const draw = ({ shape, members }: Folded, { anchor, width, height, titles, timed }: Place): Fitted => {
  const titleOf = new Map(shape.ids.map((id, index) => [id, titles[index] ?? '']));
  return fitGraph(
    around(shape, anchor),
    (id, detail, lines, more = 0) =>
      labelWidth({
        id,
        detail,
        lines,
        title: titleOf.get(id) ?? '',
        timed,
        folded: members.get(id)?.length,
        more,
      }),
    { width, height },
    {
      isWindow: shape.ids.length > maxDrawn,
      titled: titles.some((title) => title !== ''),
      linesOf: (id, cells) => 1 + wrap(titleOf.get(id) ?? '', cells - beforeTitle).length,
    },
  );
};

/** The pane, and an overlay over it. */
const placesKept = 2;

/** The drawing of a folded shape. Computed once per place: a key that only moves the cursor lays out nothing. */
export const drawingOf = memoiseLast<Folded, Place, Fitted>(isSamePlace, draw, placesKept);

/** Whether all tasks fit in boxes, with their times. Computed once per place. */
export const fitsInBoxes = memoiseLast<Folded, Place, boolean>(
  isSamePlace,
  (folded, place) => {
    const { isWhole, layout, detail } = draw(folded, place);
    return isWhole && layout.form.boxed && detail !== 'short' && detail !== 'id';
  },
  placesKept,
);

/** The task in the middle of the window: the known one, as long as the window around it shows `task`. */
export const anchorOf = (shape: Shape, known: string | null, task: string | null): string | null => {
  if (shape.ids.length <= maxDrawn) return null;
  return known !== null && drawnAround(shape, known).has(task ?? '') ? known : task;
};

const drawnAround = memoiseLast<Shape, string, ReadonlySet<string>>(
  (one, other) => one === other,
  (shape, anchor) => new Set(around(shape, anchor).ids),
);

/** Longer ids are cut. */
export const idCells: { readonly [detail in Detail]: number } = {
  titled: 32,
  tight: 32,
  narrow: 32,
  full: 32,
  id: 32,
  short: 18,
  tiny: 13,
};

/** Longer titles are cut. A row without titles has none. */
const titleCells: { readonly [detail in Detail]: number } = {
  titled: 24,
  tight: 14,
  narrow: 14,
  full: 0,
  id: 0,
  short: 0,
  tiny: 0,
};

interface Label {
  readonly id: string;
  readonly detail: Detail;
  readonly title: string;
  readonly lines: number;
  readonly timed: boolean;
  readonly folded: number | undefined;
  /** Cells beyond the usual ones that are free for the title. */
  readonly more: number;
}

/** A time and a blank before it. */
const timeCells = 6;

/** Whether the time stands beside the id. */
export const hasTime = (detail: Detail): boolean => !untimed.includes(detail);

const untimed: readonly Detail[] = ['narrow', 'id', 'short', 'tiny'];

/** Cells of a label: glyph, id, the time unless it is short; at least those of the title below. */
const labelWidth = ({ id, detail, title, lines, timed, folded, more }: Label): number => {
  if (folded !== undefined) {
    // Its title is the list of its tasks, broken only between them.
    const widest = Math.max(...title.split(' ').map(widthOf));
    return 2 + Math.max(foldedLabel(folded).length, Math.min(widest, titleCells[detail] + more));
  }
  const first = 2 + Math.min(widthOf(id), idCells[detail]) + (timed && hasTime(detail) ? timeCells : 0);
  if (lines === 1) return first + besideId(title === id ? '' : title, more);
  const behind = timed && detail === 'narrow' ? timeCells : 0;
  const most = Math.max(0, titleCells[detail] + more - behind);
  return Math.max(first, beforeTitle + titleWidth(title, most, lines - 1) + behind);
};

/** Cells before a title. */
export const beforeTitle = 2;

/** Cells of a title behind an id with those before it, where so many are free. Of a few letters nobody can guess the rest. */
const besideId = (title: string, free: number): number => {
  const whole = widthOf(title);
  return whole === 0 || (whole > free && free < leastTitle) ? 0 : beforeTitle + Math.min(whole, free);
};

/** Cells below which a title is not cut but left out. */
export const leastTitle = 10;

/** Cells of a title in at most `rows` rows of at most `most` cells: all of it in one row, else the fewest in which nothing is cut. */
const titleWidth = (title: string, most: number, rows: number): number => {
  const whole = widthOf(title);
  if (whole <= most || rows < 2) return Math.min(whole, most);
  for (let width = Math.ceil(whole / rows); width < most; width += 1)
    if (wrap(title, width).length <= rows) return width;
  return most;
};

/** "12 done". `what`: another word of at most as many letters. */
export const foldedLabel = (count: number, what = 'done'): string => `${count} ${what}`;
