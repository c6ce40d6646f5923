import { mergeStep } from '../../changes/merging.ts';
import { isReviewed, reviewStep } from '../../changes/person-review.ts';
import { verifyStep } from '../../changes/verifying.ts';
import { invoke } from '../../invoke.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { tasksAtWork } from './dispatch.ts';

/** Reviews one task a call, several side by side. The engine serialises their commits. With worktrees the merges follow. */
export const reviewingBatch: Stage = (state) => {
  if (state.invocations.size >= state.settings.concurrency.max_parallel_reviewers) return null;
  const busy = new Set(tasksAtWork(state));
  let left = busy.size > 0;
  for (const task of state.tasks.values()) {
    if (task.status !== 'review' || isReviewed(task) || busy.has(task.definition.id)) continue;
    const review = verifyStep(state, task) ?? reviewStep(state, task);
    const step = review === 'invoke' ? invoke(state, { mode: 'TASK_REVIEW', task }) : review;
    if (step !== null && step !== 'wait') return step;
    left = true;
  }
  if (left) return null;
  const merge = mergeStep(state);
  if (merge !== null) return merge === 'wait' ? null : merge;
  return enter(state, 'BATCHING');
};
