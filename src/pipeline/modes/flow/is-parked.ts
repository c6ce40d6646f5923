import { failedForGood } from '../../../tasks/graph.ts';
import type { SessionState } from '../../state.ts';
import { isRecorded } from './flow-state.ts';
import { listOf } from './flow-tasks.ts';

/** Whether a flow only waits, for a person or for its pull requests: no agent works, and no merge or step is under way. */
export const isParked = (state: SessionState): boolean => {
  const { flow } = state;
  if (flow === null || state.invocations.size > 0 || state.changes.step !== null) return false;
  const isAsked = [...state.questions.values()].some(({ answer }) => answer === null);
  if (isAsked || state.gate !== null || state.permissions.size > 0 || state.hold !== null) return true;
  const left = listOf(state, flow).filter(
    ({ task: { status }, task }) =>
      status !== 'done' &&
      status !== 'cancelled' &&
      !failedForGood(task, state.settings.retries.max_attempts),
  );
  const isWatched = ({ listed, work }: (typeof left)[number]): boolean =>
    listed.phase === 'merge' || (listed.phase === 'pr' && isRecorded(work));
  return left.length > 0 && left.every(isWatched);
};
