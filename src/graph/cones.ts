/** What blocks a task and what it blocks, at any distance. Neither holds the task itself, unless it is in a cycle. */
export interface Cones {
  readonly blockers: ReadonlySet<string>;
  readonly blocked: ReadonlySet<string>;
}

type Edges = readonly { readonly blocker: string; readonly task: string }[];

/** The cones of a task over the drawn edges. */
export const conesOf = (edges: Edges, task: string): Cones => ({
  blockers: reach(
    Map.groupBy(edges, (edge) => edge.task),
    ({ blocker }) => blocker,
    task,
  ),
  blocked: reach(
    Map.groupBy(edges, ({ blocker }) => blocker),
    (edge) => edge.task,
    task,
  ),
});

const reach = (
  edges: ReadonlyMap<string, Edges>,
  next: (edge: Edges[number]) => string,
  start: string,
): ReadonlySet<string> => {
  const seen = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const edge of edges.get(id) ?? []) {
      const found = next(edge);
      if (seen.has(found)) continue;
      seen.add(found);
      open.push(found);
    }
  return seen;
};

/** Whether the edge leads to the task, directly or not (`before`), or away from it (`after`). `null` for others. */
export const coneOf = (
  { blockers, blocked }: Cones,
  task: string,
  edge: { readonly blocker: string; readonly task: string },
): 'before' | 'after' | null => {
  if (blockers.has(edge.blocker) && (edge.task === task || blockers.has(edge.task))) return 'before';
  return blocked.has(edge.task) && (edge.blocker === task || blocked.has(edge.blocker)) ? 'after' : null;
};
