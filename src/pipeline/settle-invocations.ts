import { ends, stopped } from './ends.ts';
import type { EventBody } from './event.ts';
import { retry, triesOf } from './retry.ts';
import { settleOutcome } from './settle-outcome.ts';
import { roleOf } from './slot.ts';
import type { Invocation, SessionState, TaskState } from './state.ts';
import { anyRunning, type Part, type Step } from './step.ts';

/**
 * What each invocation that came back comes to, one fact at a time: the result of a task, a mark, a retry, or just its removal. Runs before everything
 * that starts work, also while held, so that no result waits on a person.
 */
export const settleInvocations: Part = (state) => {
  let last: Step = null;
  for (const invocation of state.invocations.values()) {
    const step = settleOne(state, invocation);
    if (step === null) continue;
    // A stop comes last: what the others brought is settled before.
    if (step !== 'wait' && step.type !== 'session.stopped') return step;
    last ??= step;
  }
  return last;
};

const settleOne = (state: SessionState, invocation: Invocation): Step => {
  const { stage } = invocation;
  if (stage === 'running') return null;
  if (invocation.stale) return settledAs(invocation, 'its task was decided otherwise meanwhile');
  if (stage === 'paused') return null;
  if (stage === 'interrupted') return afterInterruption(state, invocation);
  if (stage === 'failed') return afterFailure(state, invocation);
  return afterEnd(state, invocation);
};

const settledAs = (invocation: Invocation, reason: string): EventBody => ({
  type: 'invocation.settled',
  invocation: invocation.id,
  reason,
});

const taskOf = (state: SessionState, invocation: Invocation): TaskState | undefined =>
  invocation.task === null ? undefined : state.tasks.get(invocation.task);

/** Crashes in a row that stop a task (engine.md, Attempts). */
const crashLimit = 10;

const afterInterruption = (state: SessionState, invocation: Invocation): EventBody => {
  const task = taskOf(state, invocation);
  const reason = invocation.interruption ?? 'interrupted';
  if (task && reason === 'crash' && task.crashes + 1 >= crashLimit)
    return failed(task, invocation, 'ten crashes in a row without progress', { counts: false, final: true });
  return startAgain(task, invocation, reason);
};

/** Nothing is counted and nothing is known: the same is simply started once more. */
const startAgain = (task: TaskState | undefined, invocation: Invocation, reason: string): EventBody =>
  task && invocation.mode === 'IMPLEMENT'
    ? {
        type: 'task.interrupted',
        task: task.definition.id,
        attempt: invocation.attempt ?? task.attempt,
        reason,
        invocation: invocation.id,
      }
    : settledAs(invocation, reason);

const afterFailure = (state: SessionState, invocation: Invocation): Step => {
  const task = taskOf(state, invocation);
  const kind = invocation.failure?.kind ?? 'call';
  const what = invocation.failure?.fault.what ?? 'the call failed';
  if (kind === 'quota') return startAgain(task, invocation, `quota: ${what}`);
  if (kind === 'no-result') return startAgain(task, invocation, 'ended without result');
  if (kind === 'timeout' && task && invocation.mode === 'IMPLEMENT')
    return failed(task, invocation, what, { counts: true });
  return failedCall(state, invocation, what);
};

const afterEnd = (state: SessionState, invocation: Invocation): Step => {
  const { outcome, escalation } = invocation;
  const task = taskOf(state, invocation);
  if (!outcome || outcome.role !== roleOf[invocation.mode])
    return failedCall(state, invocation, 'the answer belongs to another role');
  if (outcome.status === 'paused') return startAgain(task, invocation, 'paused without a hold');
  if (escalation !== null) return escalate(state, invocation, task, escalation);
  const result = settleOutcome(state, invocation, outcome, task);
  return typeof result === 'string' ? failedCall(state, invocation, result) : result;
};

/** Plans again at most so often for one task: an agent that always escalates must not run for ever. */
const mostReplans = 10;

const escalate = (
  state: SessionState,
  invocation: Invocation,
  task: TaskState | undefined,
  message: string,
): Step => {
  if (!task || invocation.mode === 'REBREAKDOWN_TASK') return failedCall(state, invocation, message);
  return task.replans < mostReplans
    ? escalated(task, invocation, message)
    : failed(task, invocation, message, { counts: true });
};

const escalated = (task: TaskState, invocation: Invocation, message: string): EventBody => ({
  type: 'task.escalated',
  task: task.definition.id,
  attempt: invocation.attempt ?? task.attempt,
  message,
  invocation: invocation.id,
});

/** A call that failed: tried again, then the Planner cuts the task anew; what has no task stops the session with the reason. */
const failedCall = (state: SessionState, invocation: Invocation, reason: string): Step => {
  const again = retry(state, invocation, reason);
  if (again) return again;
  const task = taskOf(state, invocation);
  const sentence = `${invocation.role} ${invocation.mode} failed ${timesOf(triesOf(state, invocation) + 1)}: ${reason}`;
  if (task && invocation.mode === 'IMPLEMENT')
    return task.replans === 0
      ? escalated(task, invocation, sentence)
      : failed(task, invocation, sentence, { counts: true });
  if (task && invocation.mode === 'REBREAKDOWN_TASK')
    return failed(task, invocation, sentence, { counts: false, final: true });
  // What still runs comes back first: its results are not to be lost.
  return anyRunning(state) ? 'wait' : stopped(state, ends.blocked(sentence));
};

const failed = (
  task: TaskState,
  invocation: Invocation,
  reason: string,
  how: { readonly counts: boolean; readonly final?: true },
): EventBody => ({
  type: 'task.failed',
  task: task.definition.id,
  attempt: invocation.attempt ?? task.attempt,
  reason,
  ...how,
  invocation: invocation.id,
});

const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`);
