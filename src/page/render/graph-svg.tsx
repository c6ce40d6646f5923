/** @jsxImportSource hono/jsx */

import { fitGraph } from '../../graph/fit.ts';
import type { Form } from '../../graph/form.ts';
import { type Drawn, type GraphLayout, layOut, orderGraph, type Point } from '../../graph/layout.ts';
import type { Shape } from '../../graph/shape.ts';
import { maxDrawn } from '../../graph/window.ts';
import { lookSigns } from '../../words/look-signs.ts';
import { startOf, widthOf } from '../../words/width.ts';
import type { PageModel } from '../model/page-model.ts';
import type { PageTask } from '../model/page-task.ts';
import { taskAnchor } from './anchors.ts';
import { elapsed } from './words.ts';

/** Pixels of a cell of the layout. */
const cell = { x: 7.3, y: 18 };
/** Pixels that a box leaves free above and below, and between the drawing and its edge. */
const inset = 3;
const margin = 4;
/** A wide drawing shrinks to this part before it scrolls. */
const smallest = 0.8;
/** Longer ids and titles are cut. The list below the drawing has them whole. */
const longest = { id: 30, title: 24 };

const boxes: Form = { way: 'right', boxed: true, lines: 1, gap: 0, pad: 1, step: 2 };

/** The task graph as the terminal lays it out, each box a link to its task. `null` without edges, and where it is too large to read. */
export const GraphSvg = ({ tasks }: Pick<PageModel, 'tasks'>) => {
  const layout = layoutOf(tasks);
  if (layout === null) return null;
  const byId = new Map(tasks.map((task, index) => [task.id, { task, index }]));
  const [width, height] = [layout.width * cell.x + 2 * margin, layout.height * cell.y + 2 * margin];
  return (
    <div class="scroll graph" tabindex={0} role="region" aria-label="Task graph">
      <svg
        style={`width:${width.toFixed(0)}px;min-width:${(width * smallest).toFixed(0)}px`}
        viewBox={`0 0 ${width.toFixed(0)} ${height.toFixed(0)}`}
        role="group"
        aria-label="Tasks and what they wait for, from left to right"
      >
        <g class="edges">
          {layout.edges.map((edge) => (
            <path d={pathOf(edge)} class={edge.against ? 'against' : isPassed(byId, edge) ? 'passed' : ''} />
          ))}
        </g>
        {[...layout.boxes].map(([id, box]) => {
          const known = byId.get(id);
          if (known === undefined) return null;
          const [x, y] = [box.x * cell.x + margin, box.y * cell.y + margin + inset];
          return (
            <Box
              task={known.task}
              index={known.index}
              x={x}
              y={y}
              width={box.width * cell.x}
              height={box.height * cell.y - 2 * inset}
            />
          );
        })}
      </svg>
    </div>
  );
};

const Box = (props: {
  readonly task: PageTask;
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}) => {
  const { task, index, x, y, width, height } = props;
  const [sign, , tone] = lookSigns[task.look];
  const took = task.tookMs === null ? '' : elapsed(task.tookMs);
  const right = (x + width - 9).toFixed(1);
  return (
    <a href={`#${taskAnchor(index)}`}>
      <rect x={x.toFixed(1)} y={y} width={width.toFixed(1)} height={height} rx="6" class={`box ${tone}`}>
        <title>{task.word}</title>
      </rect>
      <text x={(x + 10).toFixed(1)} y={y + 19} class={`sign ${tone}`}>
        {sign}
      </text>
      <text x={(x + 27).toFixed(1)} y={y + 19} class="id">
        {cut(task.id, longest.id)}
      </text>
      {took === '' ? null : (
        <text x={right} y={y + 19} class="took" text-anchor="end">
          {took}
        </text>
      )}
      <text x={(x + 27).toFixed(1)} y={y + 36} class="title">
        {cut(task.title, longest.title)}
      </text>
    </a>
  );
};

const layoutOf = (tasks: PageModel['tasks']): GraphLayout | null => {
  if (tasks.length > maxDrawn || tasks.every(({ blockedBy }) => blockedBy.length === 0)) return null;
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const shape: Shape = {
    ids: tasks.map(({ id }) => id),
    waveOf: new Map(tasks.map(({ id, wave }) => [id, wave - 1])),
    blockersOf: new Map(tasks.map(({ id, blockedBy }) => [id, blockedBy])),
  };
  const cells = (id: string): number => cellsOf(byId.get(id));
  const wide = layOut(orderGraph(shape), cells, boxes);
  return wide ?? fitGraph(shape, cells, { width: 200, height: 200 }).layout;
};

/** Cells of the longer of a box's two lines: the sign, the id and the time above, the title below. */
const cellsOf = (task: PageTask | undefined): number => {
  if (task === undefined) return 1;
  const above = 3 + Math.min(widthOf(task.id), longest.id) + (task.tookMs === null ? 0 : 6);
  // Titles are drawn smaller than ids.
  const below = 3 + Math.min(widthOf(task.title), longest.title) * 0.8;
  return Math.ceil(Math.max(above, below));
};

const cut = (text: string, cells: number): string =>
  widthOf(text) <= cells ? text : `${startOf(text, cells - 1)}…`;

const isPassed = (
  byId: ReadonlyMap<string, { readonly task: PageTask }>,
  { blocker }: Pick<Drawn, 'blocker'>,
): boolean => byId.get(blocker)?.task.look === 'done';

/** Pixels of a rounded corner. */
const radius = 6;

/** Lines meet the edges of boxes, and turn in small arcs. */
const pathOf = ({ points }: Drawn): string => {
  const at = points.map(({ x, y }: Point, index) => ({
    x: x * cell.x + margin + (index === 0 ? 0 : index === points.length - 1 ? cell.x : cell.x / 2),
    y: y * cell.y + margin + cell.y / 2,
  }));
  const [first, ...rest] = at;
  if (first === undefined) return '';
  const parts = [`M${px(first)}`];
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    const before = at[index];
    if (next === undefined || before === undefined) {
      parts.push(`L${px(point)}`);
      return;
    }
    parts.push(`L${px(towards(point, before))}Q${px(point)} ${px(towards(point, next))}`);
  });
  return parts.join('');
};

const towards = (from: Point, to: Point): Point => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(1, Math.hypot(dx, dy));
  const by = Math.min(radius, length / 2) / length;
  return { x: from.x + dx * by, y: from.y + dy * by };
};

const px = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
