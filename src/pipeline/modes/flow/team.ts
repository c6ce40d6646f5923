import { memoise } from '../../../base/memoise.ts';
import type { Claimable } from '../../../issues/team/claim.ts';
import { failedForGood } from '../../../tasks/graph.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { openBlockers } from '../../waves.ts';
import type { FlowState, TeamMember } from './flow-state.ts';
import { isOfEngine, type Listed, listOf } from './flow-tasks.ts';

/** The workers of the team, in the order of its roster. */
export const members = ({ workers }: FlowState): readonly TeamMember[] =>
  [...workers.values()].filter(({ left }) => left === null);

/** Those whose agents this session runs. They get tasks by themselves; others ask for each. */
export const ownMembers = (flow: FlowState): readonly TeamMember[] =>
  members(flow).filter(({ foreign }) => foreign === null);

/** Nothing is left to do for a worker: what was handed in is the engine's, or a person's. */
export const isSettled = ({ status }: Pick<TaskState, 'status'>): boolean =>
  status === 'done' || status === 'cancelled' || status === 'review';

/** The list as workers see it. */
export const claimablesOf = (
  state: SessionState,
  { claims }: FlowState,
  list: readonly Listed[],
): readonly Claimable[] =>
  list.map(({ task, listed }) => ({
    id: listed.id,
    role: listed.role,
    owner: claims.get(listed.id)?.worker ?? null,
    standing: standingOf(state, task, claims.has(listed.id)),
    blockedBy: openBlockers(state, task),
  }));

/** The tasks that workers may claim: those of the engine are no one's. None before the list is worked on. */
export const claimableList = memoise((state: SessionState): readonly Claimable[] => {
  const { flow } = state;
  if (flow === null || state.state !== 'EXECUTING_BATCH') return [];
  const list = listOf(state, flow).filter((each) => !isOfEngine(state, each));
  return claimablesOf(state, flow, list);
});

const standingOf = (state: SessionState, task: TaskState, isClaimed: boolean): Claimable['standing'] => {
  if (task.status === 'cancelled') return 'deleted';
  if (isSettled(task) || failedForGood(task, state.settings.retries.max_attempts)) return 'completed';
  if (task.status === 'running') return 'in_progress';
  const works = [...state.invocations.values()].some((invocation) => invocation.task === task.definition.id);
  return works || (isClaimed && task.attempt > 0) ? 'in_progress' : 'pending';
};
