import { type End, ends } from '../../ends.ts';
import type { SessionState } from '../../state.ts';
import { standingOf } from '../../waves.ts';

/** The end of a session in COMPLETE (engine.md, "ends as"). An abort keeps its end when the session is reopened only for viewing. */
export const endOf = (state: SessionState): End => {
  if (state.abort || state.status === 'aborted') return ends.aborted();
  const { unreachable } = standingOf(state);
  const failed = [...state.tasks.values()].some((task) => task.status === 'failed');
  return failed || unreachable.size > 0 ? ends.failedTasks() : ends.allDone();
};
