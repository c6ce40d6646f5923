import type { Layers } from './layers.ts';
import type { Room } from './place.ts';

/** How a graph is drawn. */
export interface Form {
  /** Where the ranks go: `right`, as columns, or `down`, as rows. */
  readonly way: 'right' | 'down';
  /** Draws a box around each task. */
  readonly boxed: boolean;
  /** Rows of a label: the second one has the title. */
  readonly lines: 1 | 2 | 3;
  /** Blank cells between two tasks of a rank. */
  readonly gap: number;
  /** Cells between a rank and the first or last trunk beside it. */
  readonly pad: number;
  /** Cells from one trunk to the next. */
  readonly step: number;
}

/** Boxes of a column are equally wide. Boxes above each other have an odd width, so that their middles meet. */
export const widthsOf = (
  { rankOf, ranks }: Layers,
  labels: readonly number[],
  { way, boxed }: Form,
): readonly number[] => {
  if (!boxed) return labels;
  if (way === 'down') return labels.map((width) => width + 1 - (width % 2));
  const widest = new Array<number>(ranks).fill(0);
  labels.forEach((width, vertex) => {
    const rank = rankOf[vertex] ?? 0;
    widest[rank] = Math.max(widest[rank] ?? 0, width);
  });
  return labels.map((_, vertex) => widest[rankOf[vertex] ?? 0] ?? 0);
};

/** The room that vertices take across the ranks. */
export const roomOf = (form: Form, widths: readonly number[], tasks: number, grid: number): Room => {
  const frame = form.boxed ? 1 : 0;
  const across = (vertex: number): number => {
    if (vertex >= tasks) return 1;
    return form.way === 'right' ? form.lines + 2 * frame : (widths[vertex] ?? 0) + 2 + 2 * frame;
  };
  return {
    before: (vertex) => Math.floor((across(vertex) - 1) / 2),
    after: (vertex) => across(vertex) - 1 - Math.floor((across(vertex) - 1) / 2),
    gap: form.gap,
    grid,
  };
};
