import type { Graph } from './graph.ts';

/** Every task that waits for this one, directly or through others. */
export const reachedFrom = (graph: Graph, task: string): ReadonlySet<string> => {
  const reached = new Set<string>();
  const todo = [task];
  for (let id = todo.pop(); id !== undefined; id = todo.pop())
    for (const next of graph.dependantsOf.get(id) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        todo.push(next);
      }
  return reached;
};
