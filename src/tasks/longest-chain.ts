import type { Graph } from './graph.ts';

/** Two tasks are a chain wherever one waits for another: that says nothing. */
const shortestChain = 3;

/** The longest chain of dependent tasks still to be done, of three or more: more agents cannot make the rest faster than this. */
export const longestChain = (graph: Graph, isLeft: (id: string) => boolean): readonly string[] => {
  const length = new Map<string, number>();
  let last: string | null = null;
  for (const wave of graph.waves)
    for (const id of wave) {
      if (!isLeft(id)) continue;
      let before = 0;
      for (const blocker of graph.blockersOf.get(id) ?? [])
        before = Math.max(before, length.get(blocker) ?? 0);
      length.set(id, before + 1);
      if (last === null || before + 1 > (length.get(last) ?? 0)) last = id;
    }
  const chain: string[] = [];
  for (let id = last; id !== null; ) {
    chain.unshift(id);
    const left: number = (length.get(id) ?? 1) - 1;
    id =
      left === 0
        ? null
        : ((graph.blockersOf.get(id) ?? []).find((each) => length.get(each) === left) ?? null);
  }
  return chain.length < shortestChain ? [] : chain;
};
