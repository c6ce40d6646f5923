import { assignTracks, type Segment, type Tracks } from './channel.ts';
import { type Form, roomOf, widthsOf } from './form.ts';
import { type Edge, type Layers, layersOf } from './layers.ts';
import { orderRanks } from './order.ts';
import { placePorts, type Room } from './place.ts';
import type { Shape } from './shape.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Rows of its label. */
  readonly lines: number;
  readonly rank: number;
  /** Its place in the rank, counted from 0. */
  readonly place: number;
}

/** A point of a line, in cells. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An edge as the corners of its line, from the end that stands first in the drawing. */
export interface Drawn {
  readonly blocker: string;
  readonly task: string;
  /** Closes a cycle: its line starts at the task. */
  readonly against: boolean;
  readonly points: readonly Point[];
}

export interface GraphLayout {
  readonly form: Form;
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly edges: readonly Drawn[];
  /** The tasks of each rank in the order of the drawing. */
  readonly ranks: readonly (readonly string[])[];
}

/** The part of a layout that depends on the edges alone: layers in their order. */
export interface Ordered {
  readonly shape: Shape;
  readonly layers: Layers;
  readonly parts: Layers['parts'];
}

/** Ranks and their order. Every form of the drawing shares them. */
export const orderGraph = (shape: Shape): Ordered => {
  const layers = layersOf(shape);
  return { shape, layers, parts: layers.parts.map((ranks) => orderRanks(ranks, layers)) };
};

/** The rows that a task's label needs in so many cells. */
export type LinesOf = (id: string, width: number) => number;

/**
 * Ports and trunks in cells. `widthOf` gives the cells of a task's label; a blank is added on each side. Where ranks are rows, each is only as high as
 * its labels need by `linesOf`. `null` where the form has too little room to keep lines apart.
 */
export const layOut = (
  { shape, layers, parts }: Ordered,
  widthOf: (id: string) => number,
  form: Form,
  linesOf: LinesOf = () => form.lines,
): GraphLayout | null => {
  const widths = widthsOf(layers, shape.ids.map(widthOf), form);
  const grid = form.gap === 0 && !form.boxed && form.way === 'right' ? 1 : 2;
  const room = roomOf(form, widths, layers.tasks, grid);
  const shifts = new Array<number>(layers.ranks).fill(0);
  const differs = new Set<number>();
  for (;;) {
    const ports = portsOf(layers, parts, room, shifts);
    const channels = channelsOf(layers, ports);
    const stuck = channels.flatMap((tracks, rank) => (tracks === null ? [rank] : []));
    if (stuck.length === 0)
      return inCells(
        { shape, layers, parts },
        { widths, lines: rankLines({ shape, layers }, widths, form, linesOf) },
        form,
        ports,
        channels.filter((tracks) => tracks !== null),
      );
    if (grid === 1) return null;
    for (const rank of stuck) differs.add(rank);
    for (let rank = 1; rank < layers.ranks; rank += 1)
      shifts[rank] = ((shifts[rank - 1] ?? 0) + (differs.has(rank - 1) ? 1 : 0)) % 2;
  }
};

/** The rows of the labels in each rank. Boxes side by side are equally high. */
const rankLines = (
  { shape, layers }: Pick<Ordered, 'shape' | 'layers'>,
  widths: readonly number[],
  form: Form,
  linesOf: LinesOf,
): readonly number[] => {
  if (form.way === 'right') return new Array<number>(layers.ranks).fill(form.lines);
  const lines = new Array<number>(layers.ranks).fill(1);
  shape.ids.forEach((id, vertex) => {
    const rank = layers.rankOf[vertex] ?? 0;
    const needed = Math.min(form.lines, linesOf(id, widths[vertex] ?? 0));
    lines[rank] = Math.max(lines[rank] ?? 1, needed);
  });
  return lines;
};

/** The parts are side by side, and ports count from 0. */
const portsOf = (
  layers: Layers,
  parts: Layers['parts'],
  room: Room,
  shifts: readonly number[],
): readonly number[] => {
  const ports = new Array<number>(layers.count).fill(0);
  let start = 0;
  parts.forEach((ranks, index) => {
    const placed = placePorts(ranks, layers, room, shifts);
    const [first, last] = extent(placed, room);
    const apart = index === 0 ? -first : start + room.gap - first;
    const by = Math.ceil(apart / room.grid) * room.grid;
    for (const [vertex, port] of placed) ports[vertex] = port + by;
    start = last + by + 1;
  });
  // The grid and the shifts may leave blank cells before the first vertex.
  const blank = ports.reduce(
    (least, port, vertex) => Math.min(least, port - room.before(vertex)),
    Number.POSITIVE_INFINITY,
  );
  return ports.map((port) => port - blank);
};

const extent = (ports: ReadonlyMap<number, number>, room: Room): readonly [number, number] => {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const [vertex, port] of ports) {
    first = Math.min(first, port - room.before(vertex));
    last = Math.max(last, port + room.after(vertex));
  }
  return [first, last];
};

const channelsOf = (layers: Layers, ports: readonly number[]): readonly (Tracks | null)[] => {
  const segments = Array.from({ length: Math.max(0, layers.ranks - 1) }, (): Segment[] => []);
  layers.after.forEach((targets, from) => {
    for (const to of targets)
      segments[layers.rankOf[from] ?? 0]?.push({
        from,
        to,
        fromPort: ports[from] ?? 0,
        toPort: ports[to] ?? 0,
      });
  });
  return segments.map(assignTracks);
};

/** From ranks, ports and tracks to boxes and lines. */
const inCells = (
  { shape, layers, parts }: Ordered,
  { widths, lines }: { readonly widths: readonly number[]; readonly lines: readonly number[] },
  form: Form,
  ports: readonly number[],
  channels: readonly Tracks[],
): GraphLayout => {
  const frame = form.boxed ? 1 : 0;
  const sides = 2 + 2 * frame;
  const right = form.way === 'right';
  const linesAt = (rank: number): number => lines[rank] ?? form.lines;
  const deep = (vertex: number): number =>
    right ? (widths[vertex] ?? 0) + sides : linesAt(layers.rankOf[vertex] ?? 0) + 2 * frame;
  const starts: number[] = [];
  const trunks: number[] = [];
  let along = 0;
  for (let rank = 0; rank < layers.ranks; rank += 1) {
    starts.push(along);
    let depth = right ? 0 : linesAt(rank) + 2 * frame;
    for (let vertex = 0; vertex < layers.tasks; vertex += 1)
      if (layers.rankOf[vertex] === rank) depth = Math.max(depth, deep(vertex));
    trunks.push(along + depth + form.pad);
    const count = channels[rank]?.count ?? 0;
    along += depth + 2 * form.pad + Math.max(1, (count - 1) * form.step + 1);
  }
  const point = (main: number, cross: number): Point =>
    right ? { x: main, y: cross } : { x: cross, y: main };
  const line = (edge: Edge): Drawn => {
    const points: Point[] = [];
    edge.path.slice(1).forEach((vertex, index) => {
      const from = edge.path[index] ?? vertex;
      const rank = layers.rankOf[from] ?? 0;
      const [port, next] = [ports[from] ?? 0, ports[vertex] ?? 0];
      const trunk = (trunks[rank] ?? 0) + (channels[rank]?.trackOf(from, vertex) ?? 0) * form.step;
      if (index === 0) points.push(point((starts[rank] ?? 0) + deep(from), port));
      if (port !== next) points.push(point(trunk, port), point(trunk, next));
      points.push(point((starts[rank + 1] ?? 0) - (vertex < layers.tasks ? 1 : 0), next));
    });
    const [blocker = '', task = ''] = [shape.ids[edge.from], shape.ids[edge.to]];
    return { blocker, task, against: edge.against, points };
  };
  const ranks = ranksOf(layers, parts);
  const boxes = new Map<string, Box>();
  ranks.forEach((rank, index) => {
    rank.forEach((vertex, place) => {
      const [long, wide] = [deep(vertex), right ? linesAt(index) + 2 * frame : (widths[vertex] ?? 0) + sides];
      const cross = (ports[vertex] ?? 0) - Math.floor((wide - 1) / 2);
      const [width, height] = right ? [long, wide] : [wide, long];
      const { x, y } = point(starts[index] ?? 0, cross);
      boxes.set(shape.ids[vertex] ?? '', { x, y, width, height, lines: linesAt(index), rank: index, place });
    });
  });
  const edges = layers.edges.map(line);
  const corners = edges.flatMap(({ points }) => points);
  const most = (one: number, other: number): number => Math.max(one, other);
  return {
    form,
    width: [...boxes.values()]
      .map((box) => box.x + box.width)
      .concat(corners.map(({ x }) => x + 1))
      .reduce(most, 0),
    height: [...boxes.values()]
      .map((box) => box.y + box.height)
      .concat(corners.map(({ y }) => y + 1))
      .reduce(most, 0),
    boxes,
    edges,
    ranks: ranks.map((rank) => rank.map((vertex) => shape.ids[vertex] ?? '')),
  };
};

/** The tasks of each rank, over all parts. */
const ranksOf = (layers: Layers, parts: Layers['parts']): readonly (readonly number[])[] =>
  Array.from({ length: layers.ranks }, (_, rank) =>
    parts.flatMap((ranks) => (ranks[rank] ?? []).filter((vertex) => vertex < layers.tasks)),
  );
