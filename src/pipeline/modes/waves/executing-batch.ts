import { attemptLimit } from '../../agents/attempt-limit.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { nextToExecute, outstanding } from './dispatch.ts';

/** Gives the batch to Executors. The barrier: reviews begin when all tasks have returned. */
export const executingBatch: Stage = (state) => {
  const task = nextToExecute(state);
  if (task) return start(state, task);
  return state.invocations.size === 0 && outstanding(state).length === 0
    ? enter(state, 'REVIEWING_BATCH')
    : null;
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
  return attemptLimit(state) ?? invoke(state, { mode: 'IMPLEMENT', task });
};
