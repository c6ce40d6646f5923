import { attemptLimit } from '../../agents/attempt-limit.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import { isFree } from '../../scheduling/ready.ts';
import { nextToStart } from '../../scheduling/start.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { planAgain } from './plan-again.ts';
import { runStep } from './run-step.ts';
import { reviewOf, settleNext } from './settle-next.ts';

/** Starts what may start, and reviews and merges beside it what has ended. */
export const executingBatch: Stage = (state) => {
  const settled = settleNext(state);
  if (settled !== null && settled !== 'wait') return settled;
  const task = nextToStart(state, state.batch, (each) => runStep(state, each) === 'wait');
  if (task) return start(state, task);
  const again = planAgain(state);
  if (again) return again;
  const isOver = ![...state.invocations.values()].some(({ mode }) => mode !== 'TASK_REVIEW');
  return isOver && !mayStartLater(state) ? enter(state, 'REVIEWING_BATCH') : null;
};

/** A task whose blocker was opened again waits for it outside of the batch. */
const mayStartLater = (state: SessionState): boolean =>
  state.batch.some((id) => {
    const task = state.tasks.get(id);
    return task !== undefined && isFree(state, task);
  });

const start = (state: SessionState, task: TaskState): EventBody | null => {
  if (task.status === 'review') return reviewOf(state, task);
  if (task.definitionMissing)
    return {
      type: 'task.failed',
      task: task.definition.id,
      attempt: task.attempt,
      reason: 'Task definition missing',
      cause: { who: 'definition' },
      counts: false,
      final: true,
    };
  const step = runStep(state, task);
  if (step === 'wait') return null;
  return step ?? attemptLimit(state) ?? invoke(state, { mode: 'IMPLEMENT', task });
};
