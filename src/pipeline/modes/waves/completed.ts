import { finishStep } from '../../changes/finishing.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';

/** Enters COMPLETE once it is decided what becomes of the session's branch. `null`: it waits for that. */
export const completed = (state: SessionState): EventBody | null => {
  const step = finishStep(state);
  if (step === 'wait') return null;
  return step ?? enter(state, 'COMPLETE');
};
