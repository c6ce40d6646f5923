/** The tasks to draw, in the order of the waves, and what blocks each of them. Blockers that are not among the tasks are not drawn. */
export interface Shape {
  readonly ids: readonly string[];
  /** Counted from 0. The ranks of the drawing, as far as no cycle prevents it. */
  readonly waveOf: ReadonlyMap<string, number>;
  readonly blockersOf: ReadonlyMap<string, readonly string[]>;
}

/** An edge of the drawing, as indexes into `Shape.ids`. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/** The edges between the tasks of the shape. Leaves out a task that blocks itself, because its edge has no length. */
export const linksOf = ({ ids, blockersOf }: Shape): readonly Link[] => {
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const links: Link[] = [];
  ids.forEach((id, to) => {
    for (const blocker of blockersOf.get(id) ?? []) {
      const from = indexOf.get(blocker);
      if (from !== undefined && from !== to) links.push({ from, to });
    }
  });
  return links;
};
