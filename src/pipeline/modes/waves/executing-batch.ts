import { attemptLimit } from '../../agents/attempt-limit.ts';
import { isIsolated } from '../../changes/isolated.ts';
import { isMerging } from '../../changes/merging.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { nextToExecute, outstanding } from './dispatch.ts';
import { runStep } from './run-step.ts';
import { settleNext } from './settle-next.ts';

/**
 * Gives the batch to Executors. In worktrees of their own each result is reviewed and merged as its task ends. In a shared workspace reviews begin when all
 * have returned: `verify` would see what the others have half done.
 */
export const executingBatch: Stage = (state) => {
  const task = isMerging(state) ? null : nextToExecute(state);
  if (task) return start(state, task);
  const isOver = ![...state.invocations.values()].some(({ mode }) => mode !== 'TASK_REVIEW');
  if (isOver && outstanding(state).length === 0) return enter(state, 'REVIEWING_BATCH');
  if (!isIsolated(state)) return null;
  const step = settleNext(state);
  return step === 'wait' ? null : step;
};

const start = (state: SessionState, task: TaskState): EventBody | null => {
  if (task.definitionMissing)
    return {
      type: 'task.failed',
      task: task.definition.id,
      attempt: task.attempt,
      reason: 'Task definition missing',
      counts: false,
      final: true,
    };
  const step = runStep(state, task);
  if (step === 'wait') return null;
  return step ?? attemptLimit(state) ?? invoke(state, { mode: 'IMPLEMENT', task });
};
