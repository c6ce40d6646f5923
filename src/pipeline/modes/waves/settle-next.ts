import { mergeStep } from '../../changes/merging.ts';
import { isReviewed, reviewStep } from '../../changes/person-review.ts';
import { verifyStep } from '../../changes/verifying.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import type { SessionState } from '../../state.ts';
import { tasksAtWork } from './dispatch.ts';

/**
 * The next step of the results: their reviews, and the merge of each that passed. What was approved never waits for the rest of its wave. `wait`: something
 * is under way, or waits for a person. `null`: nothing is left.
 */
export const settleNext = (state: SessionState): EventBody | 'wait' | null => {
  const review = reviewNext(state);
  if (review !== null && review !== 'wait') return review;
  return mergeStep(state) ?? review;
};

/** The next review of a result, by an agent or as a question to a person. `wait`: reviews are under way, or wait. `null`: none is left. */
const reviewNext = (state: SessionState): EventBody | 'wait' | null => {
  const reviews = [...state.invocations.values()].filter(({ mode }) => mode === 'TASK_REVIEW').length;
  if (reviews >= state.settings.concurrency.max_parallel_reviewers) return 'wait';
  const busy = new Set(tasksAtWork(state));
  let left = busy.size > 0;
  for (const task of state.tasks.values()) {
    if (task.status !== 'review' || isReviewed(task) || busy.has(task.definition.id)) continue;
    const review = verifyStep(state, task) ?? reviewStep(state, task);
    const step = review === 'invoke' ? invoke(state, { mode: 'TASK_REVIEW', task }) : review;
    if (step !== null && step !== 'wait') return step;
    left = true;
  }
  return left ? 'wait' : null;
};
