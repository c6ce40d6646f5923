import { type End, ends } from '../../ends.ts';
import type { SessionState } from '../../state.ts';
import { standingOf } from '../../waves.ts';

/** The end of a session in COMPLETE (src/engine/README.md, "ends as"). An abort keeps its end when the session is reopened only for viewing. */
export const endOf = (state: SessionState): End => {
  if (state.abort || state.status === 'aborted') return ends.aborted();
  const { unreachable } = standingOf(state);
  const failed = [...state.tasks.values()].some((task) => task.status === 'failed');
  if (failed || unreachable.size > 0) return ends.failedTasks();
  // Where every task was cancelled there was nothing to judge.
  const worked = [...state.tasks.values()].some((task) => task.status === 'done');
  if (worked && state.review?.goalsAchieved === false)
    return ends.needsFeedback(
      `the review of the session finds its goals not achieved: ${state.review.gaps[0] ?? state.review.assessment}`,
    );
  const hooks = [...new Set([...state.tasks.values()].flatMap(({ unseenHooks }) => unseenHooks))];
  if (hooks.length > 0)
    return ends.unseen(
      `work is not committed, because hooks changed during the session: look at ${hooks.join(', ')}, then commit it`,
    );
  const { refused = null, unseen = false } = state.changes.finished ?? {};
  if (refused === null) return ends.allDone();
  const sentence = `changes stay on ${state.changes.session?.branch ?? 'their branch'}: ${refused}`;
  return unseen ? ends.unseen(sentence) : ends.notTaken(sentence);
};
