import { kinds } from '../../../signals/kinds.ts';
import { backendOf } from '../../invoke.ts';
import type { SessionState } from '../../state.ts';
import { enter } from '../../step.ts';
import { hasOpenWork } from '../../waves.ts';
import type { Stage } from '../stage.ts';
import { completed } from './completed.ts';
import { firstOpenStep, isFinished } from './plan-steps.ts';

/** The Librarian stages the iteration's lessons. Without a question to ask, the session is complete. */
export const knowledgeExtraction: Stage = (state) => {
  if (state.invocations.size === 0 && hasOpenWork(state))
    return enter(state, 'BATCHING', 'a task was reopened');
  const step = firstOpenStep(state, [{ item: 'plan-knowledge-extraction', mode: 'STAGE' }]);
  if (step !== 'done') return step;
  const note = unaskedBecause(state);
  if (note === null) return enter(state, 'KNOWLEDGE_APPROVAL');
  if (!isFinished(state, 'plan-knowledge-approval'))
    return { type: 'plan-item.marked', item: 'plan-knowledge-approval', mark: 'cancelled', note };
  return completed(state);
};

/** A person has decided before anybody asked: the gate opens for the file that waits. One that nobody is known to have sent opens nothing. */
const isDecisionWaiting = ({ signals, iteration }: SessionState): boolean =>
  [...signals.values()].some(
    ({ stage, unproven, signal }) =>
      stage === 'pending' &&
      !unproven &&
      kinds[signal.type].category === 'gate' &&
      (signal.iteration ?? iteration) === iteration,
  );

/**
 * Why no person is asked which lessons to keep, or `null` to ask. Lessons from commands alone are rarely worth a question. After
 * a run in which nothing passed, the failure matters more. Lessons that an earlier gate carried here are asked about again.
 */
const unaskedBecause = (state: SessionState): string | null => {
  const { staged, carried } = state.knowledge;
  if (staged.length + carried.length === 0) return 'Empty extraction — no items to approve';
  const { gate } = state.settings.knowledge;
  if (gate === 'never') return 'Not asked — knowledge.gate is never';
  if (gate === 'always' || carried.length > 0 || isDecisionWaiting(state)) return null;
  if (backendOf(state, 'Librarian', null) === 'script')
    return 'Not asked — no agent with a model wrote the lessons';
  return [...state.tasks.values()].some(({ status }) => status === 'done')
    ? null
    : 'Not asked — no task passed';
};
