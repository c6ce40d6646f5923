import { memoiseLast } from '../base/memoise.ts';
import type { Graph } from '../tasks/graph.ts';
import { widthOf } from '../words/width.ts';
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

/** The shown tasks with their edges, folded on request. Computed once per graph and excerpt. */
export const shapeOf = memoiseLast<Graph, Excerpt, Folded>(
  (one, other) => isSameList(one.ids, other.ids) && isSameList(one.folded, other.folded),
  ({ waveOf, blockersOf }, { ids, folded }) => {
    const shape = { ids, waveOf, blockersOf };
    if (folded === null) return { shape, members: new Map() };
    const done = new Set(folded);
    return foldDone(shape, (id) => done.has(id));
  },
);

/** The place and the size of the drawing. */
export interface Place {
  /** The task in the middle, where not all tasks are drawn. */
  readonly anchor: string | null;
  readonly width: number;
  readonly height: number;
}

/** The drawing of a folded shape. Computed once per place: a key that only moves the cursor lays out nothing. */
export const drawingOf = memoiseLast<Folded, Place, Fitted>(
  (one, other) => one.anchor === other.anchor && one.width === other.width && one.height === other.height,
  ({ shape, members }, { anchor, width, height }) =>
    fitGraph(
      around(shape, anchor),
      (id, detail) => labelWidth(id, detail, members.get(id)?.length),
      { width, height },
      shape.ids.length > maxDrawn,
    ),
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
export const idCells: { readonly [detail in Detail]: number } = { full: 32, short: 18 };

/** Cells of a label: glyph, id, and in `full` the time. */
export const labelWidth = (id: string, detail: Detail, folded: number | undefined): number =>
  folded === undefined
    ? 2 + Math.min(widthOf(id), idCells[detail]) + (detail === 'full' ? 6 : 0)
    : foldedLabel(folded).length + 2;

/** "12 done". */
export const foldedLabel = (count: number): string => `${count} done`;
