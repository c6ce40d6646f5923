import type { IssueId } from '../../../issues/issue.ts';
import { blockersForOrder, type IssueIndex, indexIssues } from '../../../issues/issue-index.ts';
import { type IssueState, isTerminal, stateRank } from '../../../issues/state.ts';
import type { FlowTask } from '../../../issues/task-list/flow-task.ts';
import type { EventBody } from '../../event.ts';
import type { FlowPart } from './flow-part.ts';
import type { FlowState } from './flow-state.ts';
import type { Listed } from './flow-tasks.ts';
import { issuesOf } from './position-of-flow.ts';

/** Whether this session has nothing to do for an issue in this state: its work is over, or a person is needed. */
export const isOver = (state: IssueState): boolean => isTerminal(state) || state === 'Human Needed';

/** The state in which each phase begins with an issue. */
const begins: Readonly<Record<FlowTask['phase'], IssueState>> = {
  split: 'Backlog',
  triage: 'Backlog',
  research: 'Research Needed',
  plan: 'Ready for Plan',
  review: 'Ready for Plan',
  implement: 'In Progress',
  pr: 'In Progress',
  merge: 'In Review',
};

/** Whether a person put the issue before the work of this phase: the phase continues with the other issues of its task. */
export const isMovedBack = (phase: FlowTask['phase'], state: IssueState): boolean =>
  stateRank(state) < stateRank(begins[phase]);

/**
 * Takes tasks off the list whose issues are all over, running ones too: a person closed them meanwhile, or triage did. What waits for such a task waits
 * for its blockers from then on.
 */
export const needless: FlowPart = (_state, flow, list) => {
  const states = new Map((flow.reading?.issues ?? []).map((issue) => [issue.id, issue.state]));
  for (const each of list) {
    const reason = reasonFor(flow, each, states, list);
    if (reason === null) continue;
    const { id } = each.listed;
    const waiting = list.filter(
      ({ task, listed }) => task.status === 'open' && listed.id !== id && listed.blockedBy.includes(id),
    );
    if (waiting.length === 0) return { type: 'task.cancelled', task: id, reason };
    return withoutEdge(each, waiting);
  }
  return null;
};

const reasonFor = (
  flow: FlowState,
  { task, listed, work }: Listed,
  states: ReadonlyMap<IssueId, IssueState>,
  list: readonly Listed[],
): string | null => {
  if (task.status !== 'open' && task.status !== 'running' && task.status !== 'review') return null;
  // The engine moves the issues of a task before it is done.
  if ((task.status === 'open' && work.recorded) || flow.step !== null) return null;
  const first = listed.issues[0];
  if (listed.phase === 'research' && first !== undefined && isTriagedAway(first, list))
    return `triage found nothing to research for ${first}`;
  const now = listed.issues.map((id) => states.get(id));
  const isGone = (id: IssueId): boolean => flow.gone.includes(id);
  // One that a reading left out, as for a broken line, is not taken for closed.
  if (!now.every((each, at) => (each === undefined ? isGone(listed.issues[at] ?? '') : isOver(each))))
    return null;
  return listed.issues.map((id, at) => (isGone(id) ? `${id} was deleted` : `${id} is ${now[at]}`)).join(', ');
};

/**
 * Takes a task off whose issues another session or a person has now. Tasks that also work for issues which wait for none of these wait for its
 * blockers from then on.
 */
export const lostTask = (
  flow: FlowState,
  each: Listed,
  reason: string,
  list: readonly Listed[],
): EventBody => {
  const { id, issues } = each.listed;
  const lost = new Set([...lostIssues(list), ...issues]);
  const waiting = list.filter(
    ({ task, listed }) =>
      task.status === 'open' && listed.blockedBy.includes(id) && worksWithout(flow, listed.issues, lost),
  );
  return waiting.length === 0 ? { type: 'task.cancelled', task: id, reason } : withoutEdge(each, waiting);
};

/** Why an implementation can never begin: its issue waits for one that was lost. `null`: nothing of that kind. */
export const lostBlocker = (flow: FlowState, { listed }: Listed, list: readonly Listed[]): string | null => {
  if (listed.phase !== 'implement') return null;
  const lost = lostIssues(list);
  if (lost.size === 0) return null;
  const blocker = listed.issues.flatMap((id) => [...blockersOf(flow, id)]).find((id) => lost.has(id));
  return blocker === undefined
    ? null
    : `${listed.issues.join(', ')} ${listed.issues.length === 1 ? 'waits' : 'wait'} for ${blocker}`;
};

const lostIssues = (list: readonly Listed[]): ReadonlySet<IssueId> =>
  new Set(
    list.flatMap(({ listed, work }) =>
      listed.phase === 'implement' && work.lost !== null ? listed.issues : [],
    ),
  );

const worksWithout = (flow: FlowState, own: readonly IssueId[], lost: ReadonlySet<IssueId>): boolean =>
  own.some((id) => !lost.has(id) && ![...blockersOf(flow, id)].some((blocker) => lost.has(blocker)));

/** All that an issue waits for in the tracker, directly or not. */
const blockersOf = ({ reading }: FlowState, id: IssueId): ReadonlySet<IssueId> => {
  const index = indexIssues(reading === null ? [] : issuesOf(reading));
  const found = new Set<IssueId>();
  collect(index, id, found);
  return found;
};

const collect = (index: IssueIndex, id: IssueId, found: Set<IssueId>): void => {
  const issue = index.byId.get(id);
  if (issue === undefined) return;
  for (const blocker of blockersForOrder(index, issue)) {
    if (found.has(blocker)) continue;
    found.add(blocker);
    collect(index, blocker, found);
  }
};

const isTriagedAway = (issue: IssueId, list: readonly Listed[]): boolean => {
  const triage = list.find(({ listed }) => listed.phase === 'triage' && listed.issues.includes(issue));
  const action = triage?.work.recorded === true ? triage.work.result['action'] : 'research';
  return action !== 'research';
};

const withoutEdge = ({ listed }: Listed, waiting: readonly Listed[]): EventBody => ({
  type: 'tasks.defined',
  tasks: waiting.map(({ task: { definition } }) => ({
    ...definition,
    blockedBy: [
      ...new Set(definition.blockedBy.flatMap((id) => (id === listed.id ? listed.blockedBy : [id]))),
    ],
  })),
});
