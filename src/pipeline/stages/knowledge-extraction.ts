import { enter } from '../step.ts';
import { hasOpenWork } from '../waves.ts';
import { firstOpenStep, isFinished } from './plan-steps.ts';
import type { Stage } from './stage.ts';

/** The Librarian stages what the iteration taught; nothing staged: complete. */
export const knowledgeExtraction: Stage = (state) => {
  if (state.invocations.size === 0 && hasOpenWork(state))
    return enter(state, 'BATCHING', 'a task was opened again');
  const step = firstOpenStep(state, [{ item: 'plan-knowledge-extraction', mode: 'STAGE' }]);
  if (step !== 'done') return step;
  if (state.knowledge.staged.length + state.knowledge.carried.length > 0)
    return enter(state, 'KNOWLEDGE_APPROVAL');
  if (!isFinished(state, 'plan-knowledge-approval'))
    return {
      type: 'plan-item.marked',
      item: 'plan-knowledge-approval',
      mark: 'cancelled',
      note: 'Empty extraction — no items to approve',
    };
  return enter(state, 'COMPLETE');
};
