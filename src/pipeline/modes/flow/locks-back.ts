import { isSameHolder } from '../../../issues/lock.ts';
import { isLockedState } from '../../../issues/state.ts';
import type { TaskId } from '../../../tasks/task.ts';
import type { EventBody } from '../../event.ts';
import type { Part } from '../../step.ts';
import { type FlowState, isLocked } from './flow-state.ts';
import { anyLocked, type Listed, listOf } from './flow-tasks.ts';

/** Gives every lock of a flow back before it ends aborted. A tracker that refuses does not keep it from ending: the next session finds dead locks. */
export const locksBack: Part = (state) => {
  const { flow } = state;
  if (flow === null || flow.refusal !== null) return null;
  // An abort does not wait for a tracker that is away.
  if (flow.away !== null) return null;
  if (flow.step !== null) return 'wait';
  const held = [...flow.works].find(([, work]) => isLocked(work));
  return held === undefined ? lastLocks(flow, listOf(state, flow)) : giveBack(held[0]);
};

/**
 * What is left to do for locks before a flow ends. A deleted issue takes its lock with it, but a person may bring both back, and a power failure can undo the
 * deletion: when a reading is due, the group is read once more, and without an answer the flow stops until the next start.
 */
export const lastLocks = (flow: FlowState, list: readonly Listed[]): EventBody | null => {
  if (flow.due && flow.gone.length > 0) return { type: 'flow.step-started', step: { kind: 'read' } };
  const left = leftLock(flow, list);
  return left === null ? null : giveBack(left);
};

const giveBack = (task: TaskId): EventBody => ({
  type: 'flow.step-started',
  step: { kind: 'give-back', task },
});

/** A done implementation whose pull request never came keeps its issue locked, unless it is given back at the end. So does an issue that was gone for a while. */
const leftLock = (flow: FlowState, list: readonly Listed[]): TaskId | null =>
  list.find(
    ({ listed, work }) =>
      (isLocked(work) && anyLocked(flow, listed.issues)) || listed.issues.some((id) => isOurs(flow, id)),
  )?.listed.id ?? null;

/** Whether the last reading showed our lock, which nothing has ended since. */
const isOurs = ({ reading, holder }: FlowState, issue: string): boolean =>
  (reading?.issues ?? []).some(
    ({ id, state, lock }) =>
      id === issue && isLockedState(state) && lock?.holder != null && isSameHolder(lock.holder, holder),
  );
