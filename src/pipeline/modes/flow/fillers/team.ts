import { nextTask } from '../../../../issues/team/claim.ts';
import { missingWorkers, type Worker } from '../../../../issues/team/worker.ts';
import type { EventBody } from '../../../event.ts';
import type { SessionState } from '../../../state.ts';
import type { FlowState } from '../flow-state.ts';
import { isOfEngine, type Listed } from '../flow-tasks.ts';
import { standingOfFlow } from '../position-of-flow.ts';
import { claimablesOf, isSettled, members, ownMembers } from '../team.ts';
import type { SlotFiller } from './filler.ts';

/** Team: an idle worker of the task's role. A worker whose task has ended takes the next one by the same rule, so none starts to an empty list. */
export const team: SlotFiller = {
  fill: (state, flow, list, unclaimed) => {
    const blocked = blockedAgain(state, flow, list);
    if (blocked !== null) return blocked;
    if (unclaimed.length === 0) return null;
    return forming(state, flow, list) ?? taking(state, flow, list, unclaimed);
  },

  end: (_state, flow) => {
    const [first] = members(flow);
    return first === undefined
      ? null
      : { type: 'worker.left', worker: first.name, reason: 'the list is done' };
  },
};

/** A task that waits for others again goes back, so that its worker can do what it waits for. */
const blockedAgain = (state: SessionState, flow: FlowState, list: readonly Listed[]): EventBody | null => {
  const busy = new Set([...state.invocations.values()].map(({ task }) => task));
  for (const { id, owner, blockedBy } of claimablesOf(state, flow, list))
    if (owner !== null && state.tasks.get(id)?.status === 'open' && !busy.has(id) && blockedBy.length > 0)
      return {
        type: 'task.released',
        task: id,
        worker: owner,
        reason: `it waits for ${blockedBy.join(', ')}`,
      };
  return null;
};

/** The roster that the position suggests. After research there may be more streams, so it grows. */
const forming = (state: SessionState, flow: FlowState, list: readonly Listed[]): EventBody | null => {
  const standing = standingOfFlow(flow);
  if (standing === null) return null;
  const roles = new Set(
    list.flatMap((each) => (isSettled(each.task) || isOfEngine(state, each) ? [] : [each.listed.role])),
  );
  const workers = missingWorkers(
    standing.position.suggested_roster,
    ownMembers(flow),
    (role) => roles.has(role),
    [...flow.workers.values()],
  );
  return workers.length === 0 ? null : { type: 'team.formed', workers };
};

/** The first idle worker with a task that can start now. */
const taking = (
  state: SessionState,
  flow: FlowState,
  list: readonly Listed[],
  unclaimed: readonly Listed[],
): EventBody | null => {
  const now = new Set(unclaimed.map(({ listed }) => listed.id));
  const all = claimablesOf(state, flow, list);
  // The agent of a cancelled task may still be on its way out.
  const working = new Set([...state.invocations.values()].map(({ worker }) => worker));
  const idle = ({ name }: Worker): boolean =>
    !working.has(name) &&
    !all.some(
      ({ owner, standing }) => owner === name && (standing === 'pending' || standing === 'in_progress'),
    );
  const startable = all.filter(({ id }) => now.has(id));
  for (const worker of ownMembers(flow)) {
    const next = idle(worker) ? nextTask(startable, worker) : null;
    if (next !== null) return { type: 'task.claimed', task: next.id, worker: worker.name };
  }
  return null;
};
