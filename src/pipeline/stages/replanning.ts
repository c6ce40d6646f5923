import type { TaskDefinition } from '../../tasks/task.ts';
import type { EventBody } from '../event.ts';
import type { SessionState } from '../state.ts';
import { enter } from '../step.ts';
import { firstOpenStep } from './plan-steps.ts';
import type { Stage } from './stage.ts';

/** Iteration N+1: the number moves first, then feedback is analysed, researched, and plan and tasks are brought up to it. */
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

/** Unfinished tasks go along; `[x]` and `[C]` stay what they were, with the number of their iteration. */
const inherited = (state: SessionState, iteration: number): TaskDefinition[] =>
  [...state.tasks.values()]
    .filter((task) => task.status !== 'done' && task.status !== 'cancelled')
    .map((task) => ({ ...task.definition, iteration }));
