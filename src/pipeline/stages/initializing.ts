import { enter } from '../step.ts';
import { firstOpenStep } from './plan-steps.ts';
import type { Stage } from './stage.ts';

/** The Planner lays the session out; then planning begins. */
export const initializing: Stage = (state) => {
  const step = firstOpenStep(state, [{ item: 'plan-init', mode: 'INITIALIZE' }]);
  return step === 'done' ? enter(state, 'PLANNING') : step;
};
