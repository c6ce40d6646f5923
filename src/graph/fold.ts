import { linksOf, type Shape } from './shape.ts';

/** A shape in which each connected part shows its finished tasks as one. */
export interface Folded {
  readonly shape: Shape;
  /** The finished tasks behind the id that stands for them. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** No task has such an id, because a task's id starts with a letter. */
const foldId = (first: string): string => `+${first}`;

/**
 * Folds two or more finished tasks of each part. Parts that are finished as a whole fold together: with the finished tasks of the one part that is
 * not, where there is only one, so that nothing stands apart.
 */
export const foldDone = (shape: Shape, isDone: (id: string) => boolean): Folded => {
  const part = partOf(shape);
  const open = new Set(shape.ids.filter((id) => !isDone(id)).map(part));
  const [only = -1] = open.size === 1 ? open : [];
  const groups = Map.groupBy(shape.ids.filter(isDone), (id) => (open.has(part(id)) ? part(id) : only));
  const standsFor = new Map<string, string>();
  const members = new Map<string, readonly string[]>();
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined || group.length < 2) continue;
    members.set(foldId(first), group);
    for (const id of group) standsFor.set(id, foldId(first));
  }
  if (members.size === 0) return { shape, members };
  const ids: string[] = [];
  const waveOf = new Map(shape.waveOf);
  const blockersOf = new Map<string, readonly string[]>();
  for (const id of shape.ids) {
    const fold = standsFor.get(id);
    if (fold === undefined) {
      ids.push(id);
      blockersOf.set(id, [
        ...new Set((shape.blockersOf.get(id) ?? []).map((blocker) => standsFor.get(blocker) ?? blocker)),
      ]);
    } else if (!blockersOf.has(fold)) {
      ids.push(fold);
      waveOf.set(fold, shape.waveOf.get(id) ?? 0);
      blockersOf.set(fold, []);
    }
  }
  return { shape: { ids, waveOf, blockersOf }, members };
};

/** The connected part of a task, as the index of one of its tasks. All tasks without edges count as one part. */
const partOf = (shape: Shape): ((id: string) => number) => {
  const parent = shape.ids.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? at] ?? at;
      at = parent[at] ?? at;
    }
    return at;
  };
  const linked = new Set<number>();
  for (const { from, to } of linksOf(shape)) {
    linked.add(from).add(to);
    parent[root(from)] = root(to);
  }
  const indexOf = new Map(shape.ids.map((id, index) => [id, index]));
  return (id) => {
    const index = indexOf.get(id) ?? -1;
    return linked.has(index) ? root(index) : -1;
  };
};
