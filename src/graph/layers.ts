import { at } from '../tasks/cycles.ts';
import { ranksOf } from './ranks.ts';
import { type Link, linksOf, type Shape } from './shape.ts';

/** An edge with the vertices it passes, from the lower rank to the higher one. */
export interface Edge extends Link {
  /** Closes a cycle: drawn from the task to its blocker, because the blocker is after the task. */
  readonly against: boolean;
  readonly path: readonly number[];
}

/**
 * The tasks in ranks. Vertices below `tasks` are indexes into `Shape.ids`; the others are bends, where an edge passes a rank. Edges of one
 * blocker share their bends, so that they leave it as one line.
 */
export interface Layers {
  readonly tasks: number;
  readonly count: number;
  readonly rankOf: readonly number[];
  readonly edges: readonly Edge[];
  /** Neighbours in the rank before and in the rank after. */
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
  /** The vertices of each connected part, by rank. In the order of their first tasks. */
  readonly parts: readonly (readonly (readonly number[])[])[];
  readonly ranks: number;
}

export const layersOf = (shape: Shape): Layers => {
  const links = linksOf(shape);
  const { rankOf: ranks, against } = ranksOf(shape, links);
  const tasks = shape.ids.length;
  const rankOf = [...ranks];
  const bendsOf = new Map<string, number>();
  const edges = links.map((link): Edge => {
    const turned = against.has(link);
    const [low, high] = turned ? [link.to, link.from] : [link.from, link.to];
    const path = [low];
    for (let rank = at(ranks, low) + 1; rank < at(ranks, high); rank += 1) {
      const key = turned ? `${low} ${high} ${rank}` : `${low} ${rank}`;
      const bend = bendsOf.get(key) ?? rankOf.length;
      if (bend === rankOf.length) {
        rankOf.push(rank);
        bendsOf.set(key, bend);
      }
      path.push(bend);
    }
    path.push(high);
    return { ...link, against: turned, path };
  });
  const count = rankOf.length;
  const before = Array.from({ length: count }, () => new Set<number>());
  const after = Array.from({ length: count }, () => new Set<number>());
  for (const { path } of edges)
    path.slice(1).forEach((vertex, index) => {
      const from = path[index] ?? vertex;
      after[from]?.add(vertex);
      before[vertex]?.add(from);
    });
  return {
    tasks,
    count,
    rankOf,
    edges,
    before: before.map((set) => [...set]),
    after: after.map((set) => [...set]),
    parts: partsOf(rankOf, before, after),
    ranks: rankOf.reduce((most, rank) => Math.max(most, rank + 1), 0),
  };
};

/** The connected parts. Inside a rank, in the order of a walk along the edges: a good start for the sweeps. */
const partsOf = (
  rankOf: readonly number[],
  before: readonly ReadonlySet<number>[],
  after: readonly ReadonlySet<number>[],
): readonly (readonly (readonly number[])[])[] => {
  const seen = new Set<number>();
  const parts: number[][][] = [];
  rankOf.forEach((_, root) => {
    if (seen.has(root)) return;
    const ranks: number[][] = [];
    const stack = [root];
    for (let vertex = stack.pop(); vertex !== undefined; vertex = stack.pop()) {
      if (seen.has(vertex)) continue;
      seen.add(vertex);
      const rank = rankOf[vertex] ?? 0;
      while (ranks.length <= rank) ranks.push([]);
      ranks[rank]?.push(vertex);
      stack.push(...[...(after[vertex] ?? []), ...(before[vertex] ?? [])].reverse());
    }
    parts.push(ranks);
  });
  return parts;
};
