import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { planAgain } from './plan-again.ts';
import { settleNext } from './settle-next.ts';

/** Reviews one task per call, several side by side. The engine serialises their commits. With worktrees the merges follow. What may start meanwhile does. */
export const reviewingBatch: Stage = (state) => {
  if (state.batch.length > 0) return enter(state, 'BATCHING');
  const step = settleNext(state);
  if (step !== null && step !== 'wait') return step;
  return planAgain(state) ?? (step === 'wait' ? null : enter(state, 'BATCHING'));
};
