import type { Fault } from '../base/fault.ts';
import { type Issue, type IssueId, inNaturalOrder, isOversized } from './issue.ts';
import { isTerminal } from './state.ts';

/** All issues of a tracker with their edges in both directions. Built once for each reading. */
export interface IssueIndex {
  /** In natural order. */
  readonly byId: ReadonlyMap<IssueId, Issue>;
  /** Parents that exist and are no descendants of their child. */
  readonly parentOf: ReadonlyMap<IssueId, IssueId>;
  readonly childrenOf: ReadonlyMap<IssueId, readonly Issue[]>;
  readonly blocks: ReadonlyMap<IssueId, readonly IssueId[]>;
  /** Duplicate ids, where the first one counts, edges that name no issue, and parents that are their own descendants. */
  readonly problems: readonly Fault[];
}

export const indexIssues = (issues: readonly Issue[]): IssueIndex => {
  const problems: Fault[] = [];
  const byId = new Map<IssueId, Issue>();
  for (const issue of inNaturalOrder(issues))
    if (byId.has(issue.id)) problems.push(duplicate(issue.id));
    else byId.set(issue.id, issue);
  const parentOf = new Map<IssueId, IssueId>();
  const childrenOf = new Map<IssueId, Issue[]>();
  const blocks = new Map<IssueId, IssueId[]>();
  for (const issue of byId.values()) {
    if (issue.parent !== undefined && isOwnAncestor(byId, issue)) problems.push(parentCycle(issue));
    else if (issue.parent !== undefined && byId.has(issue.parent)) {
      parentOf.set(issue.id, issue.parent);
      append(childrenOf, issue.parent, issue);
    }
    for (const blocker of distinct(issue.blockedBy)) append(blocks, blocker, issue.id);
    for (const target of [issue.parent ?? [], issue.blockedBy].flat())
      if (!byId.has(target)) problems.push(dangling(issue.id, target));
  }
  return { byId, parentOf, childrenOf, blocks, problems };
};

/** Most issues have one blocker or none: a set for each would take most of the time. */
const distinct = (ids: readonly IssueId[]): readonly IssueId[] => (ids.length < 2 ? ids : [...new Set(ids)]);

const append = <T>(map: Map<IssueId, T[]>, id: IssueId, value: T): void => {
  const list = map.get(id);
  if (list === undefined) map.set(id, [value]);
  else list.push(value);
};

const duplicate = (id: IssueId): Fault => ({
  code: 'issue-duplicate',
  what: `the id ${id} is used twice; only the first issue counts`,
});

/** Members of such a cycle would wait for each other: none of them counts as a child. */
const isOwnAncestor = (byId: ReadonlyMap<IssueId, Issue>, issue: Issue): boolean => {
  const seen = new Set<IssueId>();
  for (let at = issue.parent; at !== undefined && !seen.has(at); at = byId.get(at)?.parent) {
    if (at === issue.id) return true;
    seen.add(at);
  }
  return false;
};

const parentCycle = (issue: Issue): Fault => ({
  code: 'issue-parent-cycle',
  what: `issue ${issue.id} is its own ancestor through ${issue.parent}`,
  hint: 'its parent is ignored until you change it',
});

const dangling = (id: IssueId, target: IssueId): Fault => ({
  code: 'issue-dangling',
  what: `issue ${id} names ${target}, which does not exist`,
  hint: 'an unknown blocker does not count as closed; remove the reference or create the issue',
});

/** The children of an issue that still need work. */
const openChildren = (index: IssueIndex, id: IssueId): readonly Issue[] =>
  (index.childrenOf.get(id) ?? []).filter(({ state }) => !isTerminal(state));

/** Whether the issue stands for its children: it has some, and not all of them were canceled. Its state rolls up from theirs. */
export const followsChildren = (index: IssueIndex, id: IssueId): boolean =>
  (index.childrenOf.get(id) ?? []).some(({ state }) => state !== 'Canceled');

/** Whether the issue must be split before anything else: M, L or XL without children. */
export const needsSplit = (index: IssueIndex, issue: Issue): boolean =>
  isOversized(issue) && !index.childrenOf.has(issue.id);

/**
 * Blockers of the issue and of its open ancestors that are not closed: unknown ones included, because unknown is not closed. What an ancestor waits for
 * in its own family blocks no member of it.
 */
export const openBlockers = (index: IssueIndex, issue: Issue): readonly IssueId[] => {
  const blockers = new Set<IssueId>();
  for (const at of familyOf(index, issue)) {
    if (isTerminal(at.state)) break;
    for (const id of at.blockedBy)
      if (!isClosed(index, id) && (at === issue || !isInFamily(index, id, at.id))) blockers.add(id);
  }
  return [...blockers].filter((id) => !isInFamily(index, issue.id, id) || id === issue.id);
};

/** The open blockers with the descendants of each, which are the ones that are worked on: for an order of the work. */
export const blockersForOrder = (index: IssueIndex, issue: Issue): readonly IssueId[] => {
  const all = new Set(openBlockers(index, issue));
  for (const id of all) for (const child of openChildren(index, id)) all.add(child.id);
  return [...all].filter((id) => (id === issue.id ? issue.blockedBy.includes(id) : true));
};

/** All that an issue waits for, directly or not. */
export const allBlockers = (index: IssueIndex, id: IssueId): ReadonlySet<IssueId> => {
  const found = new Set<IssueId>();
  const stack = [id];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const issue = index.byId.get(at);
    for (const blocker of issue === undefined ? [] : blockersForOrder(index, issue)) {
      if (found.has(blocker)) continue;
      found.add(blocker);
      stack.push(blocker);
    }
  }
  found.delete(id);
  return found;
};

/** The issue, its parent, and so on up. */
export const familyOf = function* (index: IssueIndex, issue: Issue): Generator<Issue> {
  let at: Issue | undefined = issue;
  while (at !== undefined) {
    yield at;
    at = index.byId.get(index.parentOf.get(at.id) ?? '');
  }
};

/** Whether the issue is `ancestor` or below it. */
const isInFamily = (index: IssueIndex, id: IssueId, ancestor: IssueId): boolean => {
  let at: IssueId | undefined = id;
  while (at !== undefined && at !== ancestor) at = index.parentOf.get(at);
  return at === ancestor;
};

const isClosed = (index: IssueIndex, id: IssueId): boolean => {
  const issue = index.byId.get(id);
  return issue !== undefined && isTerminal(issue.state);
};

/** The issues that work could begin on now, most urgent first and then in natural order: nothing blocks them, holds them or stands in for them. */
export const readyIssues = (index: IssueIndex): readonly Issue[] =>
  [...index.byId.values()]
    .filter(
      (issue) =>
        isOpenForWork(issue) && !followsChildren(index, issue.id) && openBlockers(index, issue).length === 0,
    )
    .toSorted((a, b) => (a.priority ?? leastUrgent) - (b.priority ?? leastUrgent));

const leastUrgent = Number.MAX_SAFE_INTEGER;

const isOpenForWork = ({ state, lock, held }: Issue): boolean =>
  !isTerminal(state) &&
  state !== 'Human Needed' &&
  state !== 'In Review' &&
  lock === undefined &&
  held === undefined;
