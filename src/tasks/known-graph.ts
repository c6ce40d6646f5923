import { buildGraph, type Graph } from './graph.ts';
import type { TaskDefinition } from './task.ts';

/** By the last of the definitions: statuses change with every event, definitions hardly ever. Pure to the caller. */
const known = new WeakMap<TaskDefinition, Known>();

interface Known {
  readonly definitions: readonly TaskDefinition[];
  readonly graph: Graph;
}

/** `buildGraph`, worked out once for as long as the very same definitions stand in the same order. */
export const knownGraph = (definitions: readonly TaskDefinition[]): Graph => {
  const last = definitions.at(-1);
  if (last === undefined) return buildGraph(definitions);
  const found = known.get(last);
  if (found && isSame(found.definitions, definitions)) return found.graph;
  const graph = buildGraph(definitions);
  known.set(last, { definitions, graph });
  return graph;
};

const isSame = (a: readonly TaskDefinition[], b: readonly TaskDefinition[]): boolean =>
  a.length === b.length && a.every((definition, index) => definition === b[index]);
