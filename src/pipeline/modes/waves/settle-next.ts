import { mergeStep } from '../../changes/merging.ts';
import { isReviewed, reviewStep } from '../../changes/person-review.ts';
import { boardsUnreviewed } from '../../changes/train.ts';
import { verifyStep } from '../../changes/verifying.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import { isIsolated } from '../../isolated.ts';
import { tasksAtWork } from '../../scheduling/ready.ts';
import { mayReview } from '../../scheduling/slots.ts';
import type { SessionState, TaskState } from '../../state.ts';

/**
 * The next step of the results: their reviews, and the merge of each that passed. `wait`: something is under way, or waits for a person. `null`: nothing
 * is left.
 */
export const settleNext = (state: SessionState): EventBody | 'wait' | null => {
  const review = reviewNext(state);
  if (review !== null && review !== 'wait') return review;
  return (isIsolated(state) ? mergeStep(state) : null) ?? review;
};

/** The next review of a result, by an agent or as a question to a person. `wait`: reviews are under way, or wait. `null`: none is left. */
const reviewNext = (state: SessionState): EventBody | 'wait' | null => {
  const busy = tasksAtWork(state);
  let left = [...state.invocations.values()].some(({ mode }) => mode === 'TASK_REVIEW');
  for (const task of state.tasks.values()) {
    if (task.status !== 'review' || isReviewed(task) || busy.has(task.definition.id)) continue;
    // Its turn comes when nothing works in the tree.
    const step = task.verifiesAlone || boardsUnreviewed(state, task) ? null : reviewOf(state, task);
    if (step !== null) return step;
    left = true;
  }
  return left ? 'wait' : null;
};

/** The next step of its review; `null` while it waits. */
export const reviewOf = (state: SessionState, task: TaskState): EventBody | null => {
  const step = verifyStep(state, task) ?? reviewStep(state, task);
  if (step === 'wait') return null;
  if (step !== 'invoke') return step;
  return task.verifiesAlone || mayReview(state, task) ? invoke(state, { mode: 'TASK_REVIEW', task }) : null;
};
