import { pathProblem } from '../../tasks/relative-path.ts';
import { entriesOverlap, plainPath } from '../../tasks/task-files.ts';
import type { Group } from '../group.ts';
import { type Issue, type IssueId, inNaturalOrder } from '../issue.ts';
import { blockersForOrder, followsChildren, type IssueIndex } from '../issue-index.ts';
import { isTerminal, stateRank } from '../state.ts';

/** Issues that must be worked on one after another, in one worktree. */
export interface Stream {
  /** The smallest member. Names the stream's tasks and worktree. */
  readonly primary: IssueId;
  /** In natural order. */
  readonly issues: readonly IssueId[];
  /** The paths the members change, normalised; empty for the serial stream of issues without files. */
  readonly files: readonly string[];
}

/**
 * Splits a group into streams that can be worked on side by side: issues that share a path or have an edge between them are in one stream, and all
 * issues without known files are together in one (src/issues/README.md, Position).
 */
export const detectStreams = (
  issues: readonly Pick<Issue, 'id' | 'blockedBy'>[],
  filesOf: ReadonlyMap<IssueId, readonly string[]>,
): readonly Stream[] => {
  const sorted = inNaturalOrder(issues);
  const sets = createSets(sorted.map(({ id }) => id));
  const pathsOf = new Map(sorted.map(({ id }) => [id, (filesOf.get(id) ?? []).flatMap(normalised)]));
  const [firstBare, ...bare] = sorted.filter(({ id }) => pathsOf.get(id)?.length === 0);
  for (const { id } of bare) if (firstBare !== undefined) sets.unite(firstBare.id, id);
  for (const { id, blockedBy } of sorted)
    for (const blocker of blockedBy) if (pathsOf.has(blocker)) sets.unite(id, blocker);
  uniteByPaths(pathsOf, sets.unite, (a, b) => sets.rootOf(a) === sets.rootOf(b));

  const members = Map.groupBy(sorted, ({ id }) => sets.rootOf(id));
  return [...members.values()].map((stream) => ({
    primary: stream[0]?.id ?? '',
    issues: stream.map(({ id }) => id),
    files: [...new Set(stream.flatMap(({ id }) => pathsOf.get(id) ?? []))],
  }));
};

/** The streams of a group's open issues, parents through their children; none while an issue is still to be researched. */
export const streamsOfGroup = (
  index: IssueIndex,
  group: Group,
  filesOf: ReadonlyMap<IssueId, readonly string[]>,
): readonly Stream[] => {
  const open = group.order
    .flatMap((id) => index.byId.get(id) ?? [])
    .filter(({ id, state }) => !isTerminal(state) && !followsChildren(index, id));
  if (!open.every(({ state }) => stateRank(state) >= stateRank('Ready for Plan'))) return [];
  return detectStreams(
    open.map((issue) => ({ id: issue.id, blockedBy: blockersForOrder(index, issue) })),
    filesOf,
  );
};

/** None for a path outside the workspace. */
const normalised = (path: string): readonly string[] =>
  pathProblem(path.trim()) === null ? [plainPath(path.trim())] : [];

const uniteByPaths = (
  pathsOf: ReadonlyMap<IssueId, readonly string[]>,
  unite: (a: IssueId, b: IssueId) => void,
  isUnited: (a: IssueId, b: IssueId) => boolean,
): void => {
  const ownerOf = new Map<string, IssueId>();
  for (const [id, paths] of pathsOf)
    for (const path of paths) {
      const owner = ownerOf.get(path);
      if (owner === undefined) ownerOf.set(path, id);
      else unite(owner, id);
    }
  // Each different path is compared once.
  const owners = [...ownerOf];
  owners.forEach(([path, id], at) => {
    for (const [otherPath, other] of owners.slice(at + 1))
      if (!isUnited(id, other) && entriesOverlap(path, otherPath)) unite(id, other);
  });
};

/** Disjoint sets of ids. The root of a set is its member that comes first in the list. */
const createSets = (ids: readonly IssueId[]) => {
  const rank = new Map(ids.map((id, at) => [id, at]));
  const parentOf = new Map<IssueId, IssueId>();
  const rootOf = (id: IssueId): IssueId => {
    let root = id;
    for (let next = parentOf.get(root); next !== undefined; next = parentOf.get(root)) root = next;
    if (root !== id) parentOf.set(id, root);
    return root;
  };
  const unite = (a: IssueId, b: IssueId): void => {
    const [one, two] = [rootOf(a), rootOf(b)];
    if (one === two) return;
    const isFirst = (rank.get(one) ?? 0) < (rank.get(two) ?? 0);
    parentOf.set(isFirst ? two : one, isFirst ? one : two);
  };
  return { rootOf, unite };
};
