import { attemptLimit } from '../../agents/attempt-limit.ts';
import { chainOfTrain } from '../../changes/train.ts';
import type { EventBody } from '../../event.ts';
import { invoke } from '../../invoke.ts';
import { chainOf } from '../../scheduling/chain.ts';
import { isFree } from '../../scheduling/ready.ts';
import { checkTakesSlot, freeSlots } from '../../scheduling/slots.ts';
import { nextToStart } from '../../scheduling/start.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { enter } from '../../step.ts';
import type { Stage } from '../stage.ts';
import { planAgain } from './plan-again.ts';
import { runStep } from './run-step.ts';
import { reviewOf, settleNext } from './settle-next.ts';

/** Starts what may start, and reviews and merges beside it what has ended. */
export const executingBatch: Stage = (state) => {
  const step = settleNext(state);
  const settled = step === 'wait' ? null : step;
  if (settled !== null && !isCheckInSlot(state, settled)) return settled;
  const task = nextToStart(state, state.batch, (each) => runStep(state, each) === 'wait');
  if (task && !isForCheck(state, task, settled)) return start(state, task) ?? settled;
  if (task || settled !== null) return settled;
  const again = planAgain(state);
  if (again) return again;
  const isOver = ![...state.invocations.values()].some(({ mode }) => mode !== 'TASK_REVIEW');
  return isOver && !mayStartLater(state) ? enter(state, 'REVIEWING_BATCH') : null;
};

/** The check of a merge that takes a slot from Executors. */
const isCheckInSlot = (state: SessionState, step: EventBody): boolean =>
  step.type === 'invocation.started' &&
  step.mode === 'TASK_REVIEW' &&
  checkTakesSlot(state) &&
  state.changes.train.some(({ task }) => task === step.task);

/**
 * A slot that the task and a check could have goes to the one with more behind it. No check begins beside a step of git, which takes a moment: the last free
 * slot is kept for it.
 */
const isForCheck = (state: SessionState, task: TaskState, check: EventBody | null): boolean => {
  const isKept = state.changes.step !== null && checkTakesSlot(state) && freeSlots(state) === 1;
  return (check !== null || isKept) && chainOfTrain(state) >= chainOf(state)(task.definition.id);
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
