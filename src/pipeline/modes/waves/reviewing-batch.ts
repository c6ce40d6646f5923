import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { settleNext } from './settle-next.ts';

/** Reviews one task per call, several side by side. The engine serialises their commits. With worktrees the merges follow. */
export const reviewingBatch: Stage = (state) => {
  const step = settleNext(state);
  return step === 'wait' ? null : (step ?? enter(state, 'BATCHING'));
};
