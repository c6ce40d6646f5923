import { ends, stopped } from '../../ends.ts';
import type { EventBody } from '../../event.ts';
import { withoutQuestions } from '../../slot.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { firstOpenStep, isFinished } from './plan-steps.ts';

/** Brainstorm and research, repeated for new questions while `planning.max_cycles` allows. Then the breakdown, then the plan gate. */
export const planning: Stage = (state) => {
  const questions = firstOpenStep(state, [
    { item: 'plan-brainstorm', mode: 'brainstorm' },
    { item: 'plan-research', mode: 'research' },
  ]);
  if (questions !== 'done') return withoutCycles(state) ?? questions;
  if (!isFinished(state, 'plan-breakdown')) {
    const again = nextCycle(state);
    if (again) return again;
  }
  const breakdown = firstOpenStep(state, [{ item: 'plan-breakdown', mode: 'TASK_BREAKDOWN' }]);
  return breakdown === 'done' ? (again(state) ?? planGate(state)) : breakdown;
};

const withoutCycles = (state: SessionState): EventBody | null => {
  const note = whyNoQuestions(state);
  if (note === null || state.invocations.size > 0) return null;
  const item = isFinished(state, 'plan-brainstorm') ? 'plan-research' : 'plan-brainstorm';
  return { type: 'plan-item.marked', item, mark: 'cancelled', note };
};

const whyNoQuestions = ({ settings: { planning, effort }, questions }: SessionState): string | null => {
  if (planning.max_cycles === 0) return 'planning.max_cycles is 0';
  if (effort === 'small') return 'effort is small';
  const answered = [...questions.values()].find(
    ({ kind, option }) => kind === 'no-result' && option === withoutQuestions,
  );
  return answered === undefined ? null : `${answered.answeredBy} plans without questions`;
};

const nextCycle = (state: SessionState): EventBody | null =>
  state.newQuestions > 0 && state.cycle < state.settings.planning.max_cycles && state.invocations.size === 0
    ? {
        type: 'plan-item.marked',
        item: 'plan-brainstorm',
        mark: 'open',
        note: `cycle ${state.cycle + 1}: ${state.newQuestions} new questions`,
      }
    : null;

/**
 * A person's STEER for the Planner that came after the breakdown has its only reader in another one. Not once the person has approved: the tasks that run are
 * those that they saw.
 */
const again = (state: SessionState): EventBody | null => {
  if (state.planApproved || state.invocations.size > 0) return null;
  const steer = [...state.signals.values()].find(
    ({ stage, signal }) =>
      stage === 'pending' &&
      signal.type === 'STEER' &&
      signal.target === 'Planner' &&
      signal.task === undefined &&
      signal.unproven === undefined &&
      (signal.iteration ?? state.iteration) === state.iteration,
  );
  if (steer === undefined) return null;
  const by = steer.signal.from ?? 'a STEER';
  const note = `${by} sent a STEER for the Planner: the plan is made again`;
  return state.gate
    ? { type: 'gate.decided', gate: 'plan', decision: 'skip', by, signal: null, message: note }
    : { type: 'plan-item.marked', item: 'plan-breakdown', mark: 'open', note };
};

const planGate = (state: SessionState): EventBody | null => {
  if (!state.settings.gates.includes('plan') || state.planApproved) return enter(state, 'BATCHING');
  if (!state.gate)
    return {
      type: 'gate.opened',
      gate: 'plan',
      iteration: state.iteration,
      deadline_ms: null,
      files: ['plan.md'],
    };
  return state.attended ? null : stopped(state, ends.gate('the plan is waiting for approval'));
};
