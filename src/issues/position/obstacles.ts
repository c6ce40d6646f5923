import { cyclePath, cycleText } from '../../tasks/cycle-path.ts';
import type { Group } from '../group.ts';
import type { Holder, Issue, IssueId } from '../issue.ts';
import { blockersForOrder, type IssueIndex, openBlockers } from '../issue-index.ts';
import { isHeldByOther, lockText } from '../lock.ts';
import { isTerminal } from '../state.ts';
import { isBefore, isContainer, type Phase } from './phase.ts';

/**
 * Why an issue cannot be worked on now. `wait`: something outside this run changes it. `gate`: a person approves its plan. `person`: nothing changes
 * until a person steps in.
 */
export interface Obstacle {
  readonly kind: 'wait' | 'gate' | 'person';
  /** The issue that it waits for. */
  readonly blocker?: IssueId;
  readonly reason: string;
}

export interface Obstacles {
  /** For the phase that the issue is in. */
  readonly now: ReadonlyMap<IssueId, Obstacle>;
  /** For its implementation: a blocker inside the group cannot be worked on. Research and planning continue. */
  readonly later: ReadonlyMap<IssueId, Obstacle>;
}

/** The obstacles of all issues of a group. Follows blockers inside the group in its order. */
export const findObstacles = (
  index: IssueIndex,
  group: Group,
  phaseOf: (issue: Issue) => Phase,
  me: Holder | null,
): Obstacles => {
  const now = new Map<IssueId, Obstacle>();
  const later = new Map<IssueId, Obstacle>();
  const members = new Set(group.order);
  const cycles = cycleReasons(index, group);
  for (const id of group.order) {
    const issue = index.byId.get(id);
    if (issue === undefined || isTerminal(issue.state)) continue;
    const own = cycles.get(id) ?? ownObstacle(index, issue, phaseOf(issue), members, me);
    if (own !== null) now.set(id, own);
    const inherited = blockersForOrder(index, issue).flatMap((blocker) => behind(blocker, now, later))[0];
    if (inherited === undefined) continue;
    later.set(id, inherited);
    if (own === null && !isBefore(phaseOf(issue), 'IMPLEMENT')) now.set(id, inherited);
  }
  return { now, later };
};

const behind = (
  blocker: IssueId,
  now: ReadonlyMap<IssueId, Obstacle>,
  later: ReadonlyMap<IssueId, Obstacle>,
): readonly Obstacle[] => {
  const obstacle = now.get(blocker) ?? later.get(blocker);
  if (obstacle === undefined) return [];
  return obstacle.blocker === undefined
    ? [{ ...obstacle, blocker, reason: `blocked by ${blocker}, ${obstacle.reason}` }]
    : [obstacle];
};

const ownObstacle = (
  index: IssueIndex,
  issue: Issue,
  phase: Phase,
  members: ReadonlySet<IssueId>,
  me: Holder | null,
): Obstacle | null => {
  if (issue.state === 'Human Needed') return { kind: 'person', reason: 'in Human Needed' };
  if (phase === 'TERMINAL' || isContainer(index, issue)) return null;
  const outside = openBlockers(index, issue).filter((id) => !members.has(id));
  const first = outside.map((id) => outsideObstacle(index, id)).toSorted(personFirst)[0];
  if (first !== undefined) return first;
  if (issue.held !== undefined) return { kind: 'person', reason: `held by the tracker: ${issue.held}` };
  if (isHeldByOther(issue, me)) return { kind: 'wait', reason: `locked by ${lockText(issue.lock)}` };
  return phase === 'HUMAN_GATE' ? { kind: 'gate', reason: 'its plan is waiting for approval' } : null;
};

const outsideObstacle = (index: IssueIndex, id: IssueId): Obstacle => {
  const blocker = index.byId.get(id);
  if (blocker === undefined)
    return { kind: 'person', blocker: id, reason: `blocked by ${id}, which does not exist` };
  const kind = blocker.state === 'Human Needed' || blocker.held !== undefined ? 'person' : 'wait';
  return { kind, blocker: id, reason: `blocked by ${id} (${blocker.state}), outside the group` };
};

const personFirst = (a: Obstacle, b: Obstacle): number =>
  Number(b.kind === 'person') - Number(a.kind === 'person');

const cycleReasons = (index: IssueIndex, group: Group): ReadonlyMap<IssueId, Obstacle> => {
  const members = group.cycles.flat().flatMap((id) => index.byId.get(id) ?? []);
  const blockersOf = new Map(members.map((issue) => [issue.id, blockersForOrder(index, issue)]));
  return new Map(
    group.cycles.flatMap((cycle) => {
      const reason = `in a cycle: ${cycleText(cyclePath(cycle, blockersOf))}`;
      return cycle.map((id) => [id, { kind: 'person' as const, reason }]);
    }),
  );
};
