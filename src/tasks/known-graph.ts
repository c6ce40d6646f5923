import { memoiseLast } from '../base/memoise.ts';
import { buildGraph, type Graph } from './graph.ts';
import type { TaskDefinition } from './task.ts';

/** `buildGraph`, worked out once for as long as the very same definitions stand in the same order: statuses change with every event, definitions hardly ever. */
export const knownGraph = (definitions: readonly TaskDefinition[]): Graph => {
  const last = definitions.at(-1);
  return last === undefined ? buildGraph(definitions) : graphUpTo(last, definitions);
};

const isSame = (a: readonly TaskDefinition[], b: readonly TaskDefinition[]): boolean =>
  a.length === b.length && a.every((definition, index) => definition === b[index]);

const graphUpTo = memoiseLast(isSame, (_last: TaskDefinition, definitions: readonly TaskDefinition[]) =>
  buildGraph(definitions),
);
