import { buildGraph } from '../tasks/graph.ts';
import { type Issue, type IssueId, inNaturalOrder } from './issue.ts';
import { blockersForOrder, type IssueIndex } from './issue-index.ts';
import { isTerminal } from './state.ts';

/** The issues that are taken through the phases together (src/issues/README.md, Position). */
export interface Group {
  /** The first of the order. Names the documents and the branch of the group. */
  readonly primary: IssueId;
  /** Blockers first, the smallest id first among those that are free. */
  readonly order: readonly IssueId[];
  /** Members of each cycle of blockers. They keep their place in the order; nothing orders them among themselves. */
  readonly cycles: readonly (readonly IssueId[])[];
}

/**
 * The group of an issue: everything connected with it through parents and blockers, transitively. Done and canceled issues do not connect. `null` when
 * there is no such issue. With `only` the group is the issue alone.
 */
export const groupOf = (index: IssueIndex, id: IssueId, only = false): Group | null => {
  const seed = index.byId.get(id);
  if (seed === undefined) return null;
  const members = new Map([[id, seed]]);
  if (!only && !isTerminal(seed.state))
    for (const issue of members.values())
      for (const next of neighbours(index, issue)) members.set(next.id, next);
  return orderGroup(
    [...members.values()].map((issue) => ({ id: issue.id, blockedBy: blockersForOrder(index, issue) })),
  );
};

const neighbours = (index: IssueIndex, issue: Issue): readonly Issue[] =>
  [
    index.parentOf.get(issue.id) ?? [],
    issue.blockedBy,
    index.blocks.get(issue.id) ?? [],
    (index.childrenOf.get(issue.id) ?? []).map((child) => child.id),
  ]
    .flat()
    .flatMap((id) => index.byId.get(id) ?? [])
    .filter(({ state }) => !isTerminal(state));

/** Orders issues by their blockers among themselves. The result does not depend on the order of the input. */
export const orderGroup = (issues: readonly Pick<Issue, 'id' | 'blockedBy'>[]): Group => {
  const sorted = inNaturalOrder(issues);
  const graph = buildGraph(sorted.map(({ id, blockedBy }) => ({ id, blockedBy, replaced_by: [] })));
  const cycleOf = new Map(graph.cycles.flatMap((members, at) => members.map((id) => [id, at])));
  const isInCycle = (a: IssueId, b: IssueId): boolean => cycleOf.has(a) && cycleOf.get(a) === cycleOf.get(b);
  const waiting = new Map(
    sorted.map(({ id }) => [
      id,
      (graph.blockersOf.get(id) ?? []).filter((blocker) => !isInCycle(id, blocker)).length,
    ]),
  );
  const rank = new Map(sorted.map(({ id }, at) => [id, at]));
  const rankOf = (id: IssueId): number => rank.get(id) ?? 0;
  const free = sorted.filter(({ id }) => waiting.get(id) === 0).map(({ id }) => id);
  const order: IssueId[] = [];
  for (let id = free.shift(); id !== undefined; id = free.shift()) {
    order.push(id);
    for (const next of graph.dependantsOf.get(id) ?? []) {
      if (isInCycle(id, next)) continue;
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) insert(free, next, rankOf);
    }
  }
  return { primary: order[0] ?? '', order, cycles: graph.cycles };
};

/** Inserts into a sorted list. */
const insert = (list: IssueId[], id: IssueId, rankOf: (id: IssueId) => number): void => {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (rankOf(list[middle] ?? '') < rankOf(id)) from = middle + 1;
    else to = middle;
  }
  list.splice(from, 0, id);
};
