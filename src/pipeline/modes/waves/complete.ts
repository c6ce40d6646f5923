import { finishStep } from '../../changes/finishing.ts';
import { stopped } from '../../ends.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { endOf } from './end.ts';

/** The end. Feedback for the next iteration or a reopened task starts the work again. */
export const complete: Stage = (state) => {
  if (state.lookingForFeedback) return null;
  if (state.feedback.length > 0) return enter(state, 'REPLANNING', 'feedback');
  if (state.reopened) return enter(state, 'BATCHING', 'a task was reopened');
  const step = state.status === 'aborted' ? null : finishStep(state);
  if (step === 'wait') return null;
  return step ?? stopped(state, endOf(state));
};
