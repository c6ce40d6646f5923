import { type End, ends } from '../../ends.ts';
import type { SessionState } from '../../state.ts';
import { standingOf } from '../../waves.ts';

/** The end of a session in COMPLETE (src/engine/README.md, "ends as"). An abort keeps its end when the session is reopened only for viewing. */
export const endOf = (state: SessionState): End => {
  if (state.abort || state.status === 'aborted') return ends.aborted();
  const { unreachable } = standingOf(state);
  const failed = [...state.tasks.values()].some((task) => task.status === 'failed');
  if (failed || unreachable.size > 0) return ends.failedTasks();
  const refused = state.changes.finished?.refused ?? null;
  return refused === null
    ? ends.allDone()
    : ends.notTaken(`changes stay on ${state.changes.session?.branch ?? 'their branch'}: ${refused}`);
};
