import type { IssueId } from '../../../issues/issue.ts';
import { type IssueState, isTerminal } from '../../../issues/state.ts';
import type { EventBody } from '../../event.ts';
import type { FlowPart } from './flow-part.ts';
import type { FlowState } from './flow-state.ts';
import type { Listed } from './flow-tasks.ts';

/** Whether this session has nothing to do for an issue in this state: its work is over, or a person is needed. */
export const isOver = (state: IssueState): boolean => isTerminal(state) || state === 'Human Needed';

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
