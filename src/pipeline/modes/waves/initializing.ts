import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { firstOpenStep } from './plan-steps.ts';

/** The Planner prepares the session, then planning begins. */
export const initializing: Stage = (state) => {
  const step = firstOpenStep(state, [{ item: 'plan-init', mode: 'INITIALIZE' }]);
  return step === 'done' ? enter(state, 'PLANNING') : step;
};
