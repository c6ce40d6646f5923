import { memoise } from '../base/memoise.ts';
import type { Shape } from './shape.ts';

/** Most tasks that are laid out at once. More than that fit on no screen, and would take longer than a frame. */
export const maxDrawn = 80;

/** The tasks around one: the nearest along the edges, then its neighbours in the order of the waves. The whole shape where it is small. */
export const around = (shape: Shape, centre: string | null, limit = maxDrawn): Shape => {
  const { ids } = shape;
  if (ids.length <= limit) return shape;
  const indexOf = indexesOf(shape);
  const start = indexOf.get(centre ?? '') ?? 0;
  const chosen = new Set<number>([start]);
  const queue = [start];
  const dependantsOf = dependantsIn(shape);
  // Half of the room is for neighbours in the order of the waves, so that a hub does not take all of it.
  for (const index of queue) {
    if (chosen.size >= limit / 2) break;
    const blockers = (shape.blockersOf.get(ids[index] ?? '') ?? []).flatMap((id) => indexOf.get(id) ?? []);
    for (const next of nearest([...blockers, ...(dependantsOf.get(index) ?? [])], start)) {
      if (chosen.size >= limit / 2) break;
      if (chosen.has(next)) continue;
      chosen.add(next);
      queue.push(next);
    }
  }
  for (let distance = 1; chosen.size < limit && distance < ids.length; distance += 1)
    for (const index of [start + distance, start - distance])
      if (index >= 0 && index < ids.length && chosen.size < limit) chosen.add(index);
  return { ...shape, ids: [...chosen].sort((a, b) => a - b).flatMap((index) => ids[index] ?? []) };
};

const indexesOf = memoise(
  ({ ids }: Shape): ReadonlyMap<string, number> => new Map(ids.map((id, index) => [id, index])),
);

/** What each task of a shape blocks, as indexes into its ids. */
export const dependantsIn = memoise((shape: Shape): ReadonlyMap<number, readonly number[]> => {
  const { ids, blockersOf } = shape;
  const indexOf = indexesOf(shape);
  const dependants = new Map<number, number[]>();
  ids.forEach((id, index) => {
    for (const blocker of blockersOf.get(id) ?? []) {
      const from = indexOf.get(blocker);
      if (from === undefined) continue;
      const known = dependants.get(from);
      if (known) known.push(index);
      else dependants.set(from, [index]);
    }
  });
  return dependants;
});

const mostOfOne = 24;

const nearest = (indexes: readonly number[], start: number): readonly number[] =>
  [...indexes].sort((a, b) => Math.abs(a - start) - Math.abs(b - start)).slice(0, mostOfOne);
