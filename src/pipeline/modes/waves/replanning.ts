import type { TaskDefinition } from '../../../tasks/task.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { firstOpenStep } from './plan-steps.ts';

/** Iteration N+1: first the number moves, then feedback is analysed and researched, then plan and tasks are updated. */
export const replanning: Stage = (state) => {
  if (state.feedback.length > 0) return nextIteration(state);
  const step = firstOpenStep(state, [
    { item: 'plan-rebrainstorm', mode: 'feedback-analysis' },
    { item: 'plan-reresearch', mode: 'research' },
    { item: 'plan-update', mode: 'UPDATE' },
    { item: 'plan-rebreakdown', mode: 'REBREAKDOWN' },
  ]);
  return step === 'done' ? enter(state, 'BATCHING') : step;
};

const nextIteration = (state: SessionState): EventBody => {
  const iteration = state.iteration + 1;
  return {
    type: 'iteration.started',
    iteration,
    feedback: [...state.feedback],
    tasks: inherited(state, iteration),
  };
};

/** Unfinished tasks move to the new iteration. `[x]` and `[C]` keep their status and the number of their iteration. */
const inherited = (state: SessionState, iteration: number): TaskDefinition[] =>
  [...state.tasks.values()]
    .filter((task) => task.status !== 'done' && task.status !== 'cancelled')
    .map((task) => ({ ...task.definition, iteration }));
