import type { Form } from './form.ts';
import { type Arms, glyphOf } from './glyphs.ts';
import type { Box, Drawn, GraphLayout, Point } from './layout.ts';

/**
 * The meaning of a line. Where several share a cell, the later meaning shows. `before` leads to the chosen task, `after` away from it; `done`,
 * `now`, `failed`, `held` and `asks` are frames of tasks in that state.
 */
const lineTones = [
  'box',
  'edge',
  'done',
  'cycle',
  'chain',
  'after',
  'before',
  'now',
  'failed',
  'held',
  'asks',
  'chosen',
] as const;
export type LineTone = (typeof lineTones)[number];

/** How an edge or the frame of a task is drawn. */
export interface Stroke {
  readonly tone: LineTone;
  readonly heavy: boolean;
  /** The edge closes a cycle. Shown without colour too. */
  readonly dashed?: boolean;
}

/** A piece of a row: line characters, or row `line` of a task's label in `width` cells, a blank on each side included. */
export type Run =
  | { readonly kind: 'line'; readonly text: string; readonly tone: LineTone }
  | { readonly kind: 'task'; readonly id: string; readonly width: number; readonly line: number };

interface Strokes {
  readonly edge: (edge: Drawn) => Stroke;
  readonly frame: (id: string) => Stroke;
  readonly ascii: boolean;
}

/** Rows `top` to `top + height` of the drawing. */
export const paintRows = (
  layout: GraphLayout,
  strokes: Strokes,
  top: number,
  height: number,
): readonly (readonly Run[])[] => {
  const canvas = createCanvas(layout.width, top, Math.min(height, layout.height - top));
  if (layout.form.boxed)
    for (const [id, box] of layout.boxes)
      if (isInside(box, top, height)) frame(canvas, box, strokes.frame(id));
  for (const edge of layout.edges) trace(canvas, edge, strokes.edge(edge), layout.form);
  const labels = Map.groupBy(labelsOf(layout, top, height), ({ y }) => y);
  return Array.from({ length: canvas.rows }, (_, row) =>
    runsOf(
      canvas,
      row,
      (labels.get(top + row) ?? []).sort((a, b) => a.x - b.x),
      strokes.ascii,
    ),
  );
};

const isInside = (box: Box, top: number, height: number): boolean =>
  box.y < top + height && box.y + box.height > top;

interface Label {
  readonly id: string;
  /** The row of the label, counted from 0. */
  readonly line: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const labelsOf = ({ boxes, form }: GraphLayout, top: number, height: number): readonly Label[] => {
  const frame = form.boxed ? 1 : 0;
  return [...boxes].flatMap(([id, box]) => {
    return Array.from({ length: box.lines }, (_, line): Label => {
      return { id, line, x: box.x + frame, y: box.y + frame + line, width: box.width - 2 * frame };
    }).filter(({ y }) => y >= top && y < top + height);
  });
};

interface Canvas {
  readonly width: number;
  readonly top: number;
  readonly rows: number;
  /** Four arms per cell: up, right, down, left. */
  readonly arms: Uint8Array;
  /** Cells where lines join, instead of crossing. */
  readonly joined: Uint8Array;
  readonly tones: Uint8Array;
  /** Cells with a dashed line: 1 upright, 2 level, 3 both. */
  readonly dashed: Uint8Array;
}

const createCanvas = (width: number, top: number, height: number): Canvas => {
  const rows = Math.max(0, height);
  const cells = width * rows;
  return {
    width,
    top,
    rows,
    arms: new Uint8Array(cells * 4),
    joined: new Uint8Array(cells),
    tones: new Uint8Array(cells),
    dashed: new Uint8Array(cells),
  };
};

const up = 0;
const right = 1;
const down = 2;
const left = 3;

const stamp = (canvas: Canvas, { x, y }: Point, arms: readonly number[], stroke: Stroke): void => {
  const row = y - canvas.top;
  if (row < 0 || row >= canvas.rows || x < 0 || x >= canvas.width) return;
  const cell = row * canvas.width + x;
  const weight = stroke.heavy ? 2 : 1;
  for (const arm of arms) canvas.arms[cell * 4 + arm] = Math.max(canvas.arms[cell * 4 + arm] ?? 0, weight);
  const straight = arms.length === 2 && Math.abs((arms[0] ?? 0) - (arms[1] ?? 0)) === 2;
  if (!straight) canvas.joined[cell] = 1;
  canvas.tones[cell] = Math.max(canvas.tones[cell] ?? 0, lineTones.indexOf(stroke.tone));
  if (stroke.dashed) canvas.dashed[cell] = (canvas.dashed[cell] ?? 0) | axisOf(arms[0] ?? up);
};

/** As in `Canvas.dashed`. */
const axisOf = (arm: number): number => (arm === up || arm === down ? 1 : 2);

/** The box of a task. */
const frame = (canvas: Canvas, { x, y, width, height }: Box, stroke: Stroke): void => {
  const [end, bottom] = [x + width - 1, y + height - 1];
  for (let column = x + 1; column < end; column += 1)
    for (const row of [y, bottom]) stamp(canvas, { x: column, y: row }, [right, left], stroke);
  for (let row = y + 1; row < bottom; row += 1)
    for (const column of [x, end]) stamp(canvas, { x: column, y: row }, [up, down], stroke);
  stamp(canvas, { x, y }, [right, down], stroke);
  stamp(canvas, { x: end, y }, [down, left], stroke);
  stamp(canvas, { x, y: bottom }, [up, right], stroke);
  stamp(canvas, { x: end, y: bottom }, [up, left], stroke);
};

const wayTo = (from: Point, to: Point): number => {
  if (from.x === to.x) return to.y > from.y ? down : up;
  return to.x > from.x ? right : left;
};

const opposite = (arm: number): number => (arm + 2) % 4;
const moved = ({ x, y }: Point, arm: number, by: number): Point => ({
  x: x + (arm === right ? by : arm === left ? -by : 0),
  y: y + (arm === down ? by : arm === up ? -by : 0),
});

/** The line of an edge. Boxed tasks get a joint where it leaves and where it arrives. */
const trace = (canvas: Canvas, { points }: Drawn, stroke: Stroke, { way, boxed }: Form): void => {
  const corners = points.filter((point, index) => {
    const before = points[index - 1];
    return before === undefined || before.x !== point.x || before.y !== point.y;
  });
  const [first] = corners;
  const last = corners.at(-1);
  if (first === undefined || last === undefined) return;
  const onward = way === 'right' ? right : down;
  let came = opposite(onward);
  if (boxed) {
    stamp(canvas, moved(first, onward, -1), [onward], stroke);
    stamp(canvas, moved(last, onward, 1), [opposite(onward)], stroke);
  }
  corners.forEach((corner, index) => {
    const next = corners[index + 1];
    const goes = next === undefined ? onward : wayTo(corner, next);
    stamp(canvas, corner, came === goes ? [goes] : [came, goes], stroke);
    if (next === undefined) return;
    const length = Math.abs(next.x - corner.x) + Math.abs(next.y - corner.y);
    for (let step = 1; step < length; step += 1)
      stamp(canvas, moved(corner, goes, step), [opposite(goes), goes], stroke);
    came = opposite(goes);
  });
};

const runsOf = (canvas: Canvas, row: number, labels: readonly Label[], ascii: boolean): readonly Run[] => {
  const runs: Run[] = [];
  let x = 0;
  const lineTo = (end: number): void => {
    let text = '';
    let tone: LineTone = 'edge';
    for (; x < end; x += 1) {
      const cell = row * canvas.width + x;
      const arms = armsOf(canvas, cell);
      const isDashed = ((canvas.dashed[cell] ?? 0) & axisOf(arms[up] > 0 ? up : right)) > 0;
      const glyph = glyphOf(arms, ascii, isDashed);
      const own: LineTone = glyph === ' ' ? tone : (lineTones[canvas.tones[cell] ?? 0] ?? 'edge');
      if (own !== tone && text !== '') {
        runs.push({ kind: 'line', text, tone });
        text = '';
      }
      tone = own;
      text += glyph;
    }
    if (text !== '') runs.push({ kind: 'line', text, tone });
  };
  for (const { id, line, x: start, width } of labels) {
    lineTo(start);
    runs.push({ kind: 'task', id, width, line });
    x = start + width;
  }
  lineTo(canvas.width);
  return runs;
};

/** The arms to show. Lines that only cross show the one across the ranks, so that a joint and a crossing differ. */
const armsOf = ({ arms, joined }: Canvas, cell: number): Arms => {
  const own = (arm: number): number => arms[cell * 4 + arm] ?? 0;
  const [above, after, below, before] = [own(up), own(right), own(down), own(left)];
  const crosses = joined[cell] === 0 && above > 0 && after > 0;
  if (!crosses) return [above, after, below, before];
  return above >= after ? [above, 0, below, 0] : [0, after, 0, before];
};
