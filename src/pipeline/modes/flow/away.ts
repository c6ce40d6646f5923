import type { EventBody } from '../../event.ts';
import type { FlowState } from './flow-state.ts';

/** Takes the step again that the tracker did not answer, when it is time. */
export const afterAway = ({ away, step }: FlowState): EventBody | null =>
  away?.due === true && step !== null ? { type: 'flow.step-started', step } : null;
