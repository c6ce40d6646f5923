import { at } from '../tasks/cycles.ts';
import type { Link, Shape } from './shape.ts';

/** The rank of each task, and the links that point back because they close a cycle. */
interface Ranks {
  readonly rankOf: Int32Array;
  readonly against: ReadonlySet<Link>;
}

/** The waves without gaps. Where links form a cycle, the longest paths over the links that close none. */
export const ranksOf = (shape: Shape, links: readonly Link[]): Ranks => {
  const waves = [...new Set(shape.ids.map((id) => shape.waveOf.get(id) ?? 0))].sort((a, b) => a - b);
  const rankOfWave = new Map(waves.map((wave, rank) => [wave, rank]));
  const rankOf = Int32Array.from(shape.ids, (id) => rankOfWave.get(shape.waveOf.get(id) ?? 0) ?? 0);
  if (links.every(({ from, to }) => at(rankOf, from) < at(rankOf, to))) return { rankOf, against: new Set() };
  const against = backward(links, shape.ids.length);
  return { rankOf: longestPaths(links, against, shape.ids.length), against };
};

/** Links that lead back to a task on the path of a depth-first walk: without them there is no cycle. */
const backward = (links: readonly Link[], count: number): ReadonlySet<Link> => {
  const out = outOf(links, count);
  const found = new Set<Link>();
  const state = new Uint8Array(count);
  const cursor = new Int32Array(count);
  for (let root = 0; root < count; root += 1) {
    if (state[root] !== 0) continue;
    const path = [root];
    state[root] = 1;
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const link = out[node]?.[at(cursor, node)];
      cursor[node] = at(cursor, node) + 1;
      if (link === undefined) {
        state[node] = 2;
        path.pop();
      } else if (state[link.to] === 1) found.add(link);
      else if (state[link.to] === 0) {
        state[link.to] = 1;
        path.push(link.to);
      }
    }
  }
  return found;
};

const longestPaths = (links: readonly Link[], against: ReadonlySet<Link>, count: number): Int32Array => {
  // A link that points back is drawn the other way round, so both of its ends still need different ranks.
  const forward = links.map((link) => (against.has(link) ? { from: link.to, to: link.from } : link));
  const out = outOf(forward, count);
  const missing = new Int32Array(count);
  for (const { to } of forward) missing[to] = at(missing, to) + 1;
  const rankOf = new Int32Array(count);
  const queue: number[] = [];
  for (let node = 0; node < count; node += 1) if (missing[node] === 0) queue.push(node);
  for (const node of queue)
    for (const { to } of out[node] ?? []) {
      rankOf[to] = Math.max(at(rankOf, to), at(rankOf, node) + 1);
      missing[to] = at(missing, to) - 1;
      if (missing[to] === 0) queue.push(to);
    }
  return rankOf;
};

const outOf = (links: readonly Link[], count: number): readonly (readonly Link[])[] => {
  const out = Array.from({ length: count }, (): Link[] => []);
  for (const link of links) out[link.from]?.push(link);
  return out;
};
