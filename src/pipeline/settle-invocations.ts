import { isPermanent } from '../agents/permanent-faults.ts';
import { type Fault, formatFault } from '../base/fault.ts';
import { ends, stopped } from './ends.ts';
import type { EventBody } from './event.ts';
import type { FailureCause } from './events/failure-cause.ts';
import { missedReview } from './modes/flow/code-review.ts';
import { modeOf } from './modes/index.ts';
import { retry, triesOf } from './retry.ts';
import { settleOutcome } from './settle-outcome.ts';
import { roleOf } from './slot.ts';
import type { Invocation, SessionState, TaskState } from './state.ts';
import { anyRunning, type Part, type Step } from './step.ts';

/**
 * Settles ended invocations, one fact at a time: a task's result, a mark, a retry, or just the removal.
 * Runs before everything that starts work, also during a hold, so that no result waits for a person.
 */
export const settleInvocations: Part = (state) => {
  let last: Step = null;
  for (const invocation of state.invocations.values()) {
    const step = settleOne(state, invocation);
    if (step === null) continue;
    // A stop comes last, after all other results are settled.
    if (step !== 'wait' && step.type !== 'session.stopped') return step;
    last ??= step;
  }
  return last;
};

const settleOne = (state: SessionState, invocation: Invocation): Step => {
  const { stage } = invocation;
  if (stage === 'running') return null;
  if (invocation.stale) return settledAs(invocation, 'its task was settled in another way in the meantime');
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

/** Consecutive crashes that stop a task (src/engine/README.md, Attempts). */
const crashLimit = 10;

const afterInterruption = (state: SessionState, invocation: Invocation): EventBody => {
  const task = taskOf(state, invocation);
  const reason = invocation.interruption ?? 'interrupted';
  if (task && reason === 'crash' && task.crashes + 1 >= crashLimit)
    return failed(task, invocation, 'ten crashes in a row without progress', {
      who: 'crash',
      counts: false,
      final: true,
    });
  return startAgain(task, invocation, reason);
};

/** Starts the same work again. Counts nothing, because nothing is known. */
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
  if (kind === 'no-result') return startAgain(task, invocation, what);
  if (kind === 'timeout' && task && invocation.mode === 'IMPLEMENT')
    return failed(task, invocation, what, { who: 'limit', counts: true });
  const fault = invocation.failure?.fault;
  if (fault && isPermanent(fault)) return forAPerson(state, invocation, fault);
  return failedCall(state, invocation, fault ? sentenceOf(fault) : what);
};

/** What went wrong and what to do about it: the place is the agent, whose label is in the words. */
const sentenceOf = ({ what, hint }: Fault): string =>
  formatFault(hint === undefined ? { what } : { what, hint });

/** No try helps until a person did something: the session stops with the sentence, and its next start tries again. */
const forAPerson = (state: SessionState, { role, mode }: Invocation, fault: Fault): Step =>
  anyRunning(state) ? 'wait' : stopped(state, ends.blocked(`${role} ${mode}: ${sentenceOf(fault)}`));

const afterEnd = (state: SessionState, invocation: Invocation): Step => {
  const { outcome, escalation } = invocation;
  const task = taskOf(state, invocation);
  if (!outcome || outcome.role !== roleOf[invocation.mode])
    return failedCall(state, invocation, 'the answer belongs to another role');
  if (outcome.status === 'paused') return startAgain(task, invocation, 'paused without a hold');
  if (escalation !== null) return escalate(state, invocation, task, escalation);
  const result = settleOutcome(state, invocation, outcome, task);
  // The merge that is just made lies on this one: it has to be known, so that it is made again.
  if (typeof result !== 'string' && result.type === 'merge.rejected' && state.changes.step !== null)
    return 'wait';
  return typeof result === 'string' ? failedCall(state, invocation, result) : result;
};

/** Limit of new plans for one task: an agent that always escalates must not run for ever. */
const mostReplans = 10;

const escalate = (
  state: SessionState,
  invocation: Invocation,
  task: TaskState | undefined,
  message: string,
): Step => {
  if (!task || invocation.mode === 'REBREAKDOWN_TASK') return failedCall(state, invocation, message);
  const isPlannedAgain =
    modeOf(state).plansAgain || (state.mode === 'flow' && task.definition.phase === 'implement');
  if (!isPlannedAgain) return failed(task, invocation, message, { who: 'person', counts: false });
  return task.replans < mostReplans
    ? escalated(task, invocation, message)
    : failed(task, invocation, message, { who: 'limit', counts: true });
};

const escalated = (task: TaskState, invocation: Invocation, message: string): EventBody => ({
  type: 'task.escalated',
  task: task.definition.id,
  attempt: invocation.attempt ?? task.attempt,
  message,
  invocation: invocation.id,
});

/** Handles a failed call: retries it, then lets the Planner redefine the task. A call without a task stops the session with the reason. */
const failedCall = (state: SessionState, invocation: Invocation, reason: string): Step => {
  const again = retry(state, invocation, reason);
  if (again) return again;
  const task = taskOf(state, invocation);
  const missed = missedReview(state, task, reason, invocation);
  if (missed !== null) return missed;
  const sentence = `${invocation.role} ${invocation.mode} failed ${timesOf(triesOf(state, invocation) + 1)}: ${reason}`;
  if (task && invocation.mode === 'IMPLEMENT')
    return task.replans === 0 && modeOf(state).plansAgain
      ? escalated(task, invocation, sentence)
      : failed(task, invocation, sentence, { who: 'work', counts: true });
  if (task && invocation.mode === 'REBREAKDOWN_TASK')
    return failed(task, invocation, sentence, { who: 'work', counts: false, final: true });
  // Waits for running work, so that no result is lost.
  return anyRunning(state) ? 'wait' : stopped(state, ends.blocked(sentence));
};

const failed = (
  task: TaskState,
  invocation: Invocation,
  reason: string,
  { who, ...how }: { readonly who: FailureCause['who']; readonly counts: boolean; readonly final?: true },
): EventBody => ({
  type: 'task.failed',
  task: task.definition.id,
  attempt: invocation.attempt ?? task.attempt,
  reason,
  cause: { who },
  ...how,
  invocation: invocation.id,
});

const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`);
