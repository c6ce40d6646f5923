import { memoise, memoiseLast } from '../../src/base/memoise.ts';
import { manyTasks } from '../../src/graph/fit.ts';
import type { Graph } from '../../src/tasks/graph.ts';
import type { TaskTable } from './select-tasks.ts';

/**
 * The graph as it is drawn: where other tasks took over a task, the first of them stand behind its blockers that are done. They need not name these
 * again, and without the lines finished work would stand apart and take room from the rest.
 */
export const drawnGraph = memoise((table: TaskTable): Graph => {
  const { graph, lines } = table;
  const isPlain = graph.replaced.size === 0 || lines.size > graph.replaced.size + manyTasks;
  return isPlain ? graph : withLines(graph, linesBehind(table));
});

/** Done blockers of tasks that name none. */
type Behind = readonly (readonly [task: string, blockers: readonly string[]])[];

const withLines = memoiseLast<Graph, Behind, Graph>(
  (one, other) => JSON.stringify(one) === JSON.stringify(other),
  (graph, behind) => ({ ...graph, blockersOf: new Map([...graph.blockersOf, ...behind]) }),
);

const linesBehind = (table: TaskTable): Behind =>
  [...Map.groupBy(table.lines.values(), ({ partOf }) => partOf)].flatMap(([whole, parts]) => {
    const blockers = whole === null ? [] : blockersBefore(table, whole);
    const done = blockers.filter((id) => table.lines.get(id)?.look === 'done');
    if (whole === null || done.length === 0) return [];
    const ids = parts.map(({ id }) => id);
    return firstTasks(table, ids, { whole, blockers }).map((id) => [id, done] as const);
  });

/** The blockers of a task, or of the one that it is itself a part of. */
const blockersBefore = ({ graph, lines }: TaskTable, whole: string): readonly string[] => {
  const seen = new Set<string>();
  for (let at: string | null = whole; at !== null && !seen.has(at); at = lines.get(at)?.partOf ?? null) {
    seen.add(at);
    const blockers = graph.blockersOf.get(at) ?? [];
    if (blockers.length > 0) return blockers;
  }
  return [];
};

/** The tasks without blockers that the parts start with. All of them are newer than the whole. */
const firstTasks = (
  { graph, order }: TaskTable,
  parts: readonly string[],
  { whole, blockers }: { readonly whole: string; readonly blockers: readonly string[] },
): readonly string[] => {
  const newer = new Set(order.slice(order.indexOf(whole) + 1));
  const seen = new Set(parts);
  const firsts: string[] = [];
  // The walk also visits what it adds.
  for (const id of seen) {
    const own = graph.blockersOf.get(id) ?? [];
    if (own.length === 0) firsts.push(id);
    if (own.some((each) => blockers.includes(each))) continue;
    for (const each of own) if (newer.has(each)) seen.add(each);
  }
  return firsts;
};

/** A task that others took over has no work of its own, and nothing waits for it: they are drawn in its place. */
export const withWork = (ids: readonly string[], { replaced }: Graph): readonly string[] =>
  replaced.size === 0 ? ids : ids.filter((id) => !replaced.has(id));
