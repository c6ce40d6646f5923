import { memoiseLast } from '../base/memoise.ts';
import { buildGraph, type Graph } from './graph.ts';
import type { TaskDefinition } from './task.ts';

/** `buildGraph`, cached while the identical definitions keep their order: statuses change with every event, definitions rarely. */
export const knownGraph = (definitions: readonly TaskDefinition[]): Graph => {
  const last = definitions.at(-1);
  return last === undefined ? buildGraph(definitions) : graphUpTo(last, definitions);
};

const isSame = (a: readonly TaskDefinition[], b: readonly TaskDefinition[]): boolean =>
  a.length === b.length && a.every((definition, index) => definition === b[index]);

const graphUpTo = memoiseLast(isSame, (_last: TaskDefinition, definitions: readonly TaskDefinition[]) =>
  buildGraph(definitions),
);
