import { foreignName } from '../../../agents/profiles/foreign-name.ts';
import { failedForGood } from '../../../tasks/graph.ts';
import { attemptLimit } from '../../agents/attempt-limit.ts';
import { mergeStep } from '../../changes/merging.ts';
import { isVerifying } from '../../changes/verifying.ts';
import type { EventBody } from '../../event.ts';
import { invoke, mayStart } from '../../invoke.ts';
import { byChain } from '../../scheduling/chain.ts';
import { isReady, tasksAtWork } from '../../scheduling/ready.ts';
import { freeSlots } from '../../scheduling/slots.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { enter } from '../../step.ts';
import { blockersDone, hasOpenWork } from '../../waves.ts';
import type { Stage } from '../stage.ts';
import { completed } from '../waves/completed.ts';
import { afterAway } from './away.ts';
import { reviewing } from './code-review.ts';
import { drafting } from './drafting.ts';
import { fillers } from './fillers/index.ts';
import type { FlowPart } from './flow-part.ts';
import { type FlowState, isLocked, isLost, isRecorded, lostReason } from './flow-state.ts';
import { isOfEngine, type Listed, listOf, locking } from './flow-tasks.ts';
import { admitting, isForeign } from './foreign.ts';
import { landing } from './landing.ts';
import { lastLocks } from './locks-back.ts';
import { planAgain } from './plan-again.ts';
import { changedNothing, reopening } from './pull-request.ts';
import { afterRecord } from './recorded.ts';
import { revising } from './revising.ts';
import { streamStep } from './split-into-streams.ts';
import { isStuck, stuck } from './stuck.ts';

/** Works the list off: each task starts as soon as its blockers are done and a slot is free. */
export const executing: Stage = (state) => {
  const { flow } = state;
  if (flow === null) return null;
  if (isStuck(flow)) return stuck(state, flow);
  const again = afterAway(flow);
  if (again !== null) return again;
  const list = listOf(state, flow);
  for (const part of [
    admitting,
    planAgain,
    replacing,
    polling,
    reopening,
    ending,
    rejecting,
    reviewing,
    merging,
    returning,
    revising,
    streamStep,
    drafting,
    starting,
  ]) {
    const step = part(state, flow, list);
    if (step !== null) return step;
  }
  return over(state, flow);
};

/** Closes tasks whose work others have taken over. */
const replacing: FlowPart = (state, _flow, list) => {
  for (const { task, listed } of list) {
    const parts = listed.replaced_by.filter((part) => part !== listed.id && state.tasks.has(part));
    if (parts.length > 0 && (task.status === 'open' || task.status === 'failed'))
      return { type: 'task.replaced', task: listed.id, by: parts };
  }
  return null;
};

/** The tracker is read again every `flow.poll`, and when the program starts: a person may have closed or moved issues. */
const polling: FlowPart = (_state, { due, step }) =>
  due && step === null ? { type: 'flow.step-started', step: { kind: 'poll' } } : null;

/** Keeps results, and lets a person decide about plans. */
const ending: FlowPart = (state, flow, list) => {
  for (const each of list) {
    const { listed, work } = each;
    const lost = lostReason(work);
    if (!isHandedIn(each) || listed.phase === 'implement') continue;
    // `revising` takes it off.
    if (listed.issues.every((id) => flow.gone.includes(id))) continue;
    // Nothing would come of trying again.
    if (lost !== null) return { type: 'task.cancelled', task: listed.id, reason: lost };
    if (isVerifying(state, each.task)) {
      const start = tasksAtWork(state).has(listed.id)
        ? null
        : invoke(state, { mode: 'TASK_REVIEW', task: each.task });
      if (start !== null) return start;
      continue;
    }
    const step = isRecorded(work) ? afterRecord(state, flow, each) : recordStep(flow, listed.id);
    if (step !== null) return step;
  }
  return null;
};

/** A merge whose commands failed is no matter of trying again: a person gets it, with what they printed. */
const rejecting: FlowPart = (_state, flow, list) => {
  for (const { task, listed, work } of list) {
    if (listed.phase !== 'merge' || task.status !== 'failed') continue;
    const lost = lostReason(work);
    if (lost !== null) return { type: 'task.cancelled', task: listed.id, reason: lost };
    const step = recordStep(flow, listed.id);
    if (step !== null) return step;
  }
  return null;
};

/** Its result is there: an agent's, or the text of a pull request that the engine wrote itself. */
const isHandedIn = ({ task, listed, work }: Listed): boolean =>
  task.status === 'review' || (listed.phase === 'pr' && task.status === 'open' && isRecorded(work));

const recordStep = ({ step }: FlowState, task: string): EventBody | null =>
  step === null ? { type: 'flow.step-started', step: { kind: 'record', task } } : null;

/** Brings implementations onto the branches of their streams, one merge at a time. */
const merging: FlowPart = (state, flow, list) => {
  const step = mergeStep(state);
  if (step === 'wait') return null;
  if (step?.type === 'landing.started') return landing(state, flow, list, step);
  return step?.type === 'task.qualified' ? (changedNothing(state, flow, list, step.task) ?? step) : step;
};

/** Gives the locks of cancelled tasks back, and leaves the issues of failed ones to a person. */
const returning: FlowPart = (state, { step }, list) => {
  if (step !== null) return null;
  const most = state.settings.retries.max_attempts;
  for (const { task, listed, work } of list) {
    const isFailed = failedForGood(task, most) && listed.phase !== 'merge' && !isLost(work);
    const isHeld = isLocked(work) && !isRecorded(work) && task.status === 'cancelled';
    if (isFailed && work.left === undefined)
      return {
        type: 'flow.step-started',
        step: { kind: 'give-back', task: listed.id, failed: task.reason ?? 'no reason was given' },
      };
    if (isHeld) return { type: 'flow.step-started', step: { kind: 'give-back', task: listed.id } };
  }
  return null;
};

/** Starts what is claimed, and lets the slot filler claim what is not. */
const starting: FlowPart = (state, flow, list) => {
  const busy = tasksAtWork(state);
  const working = new Set([...state.invocations.values()].map(({ worker }) => worker));
  let free = freeSlots(state);
  const unclaimed: Listed[] = [];
  const compare = byChain(state);
  for (const each of list.toSorted((one, other) => compare(one.task, other.task))) {
    const { task, listed, work } = each;
    // The list is revised when the step has ended.
    if (isLost(work)) continue;
    // A failed call of a running task is to be tried again.
    if (busy.has(listed.id) || !(isReady(state, task) || isLeft(state, task)) || isHandedIn(each)) continue;
    if (work.left !== undefined) {
      if (flow.step === null) return { type: 'flow.step-started', step: { kind: 'lock', task: listed.id } };
      continue;
    }
    if (isOfEngine(state, each)) {
      const step = isRecorded(work) ? done(listed.id, task.attempt) : recordStep(flow, listed.id);
      if (step !== null) return step;
      continue;
    }
    const claim = flow.claims.get(listed.id);
    const isElsewhere = isForeign(flow, claim?.worker ?? null);
    if ((free <= 0 && !isElsewhere) || !mayStart(state, 'IMPLEMENT', task)) continue;
    if (claim === undefined) {
      unclaimed.push(each);
      continue;
    }
    // While this task was reviewed, its worker took another one.
    if (claim.worker !== null && working.has(claim.worker)) continue;
    if (locking.has(listed.phase) && !isLocked(work)) {
      if (flow.step === null) return { type: 'flow.step-started', step: { kind: 'lock', task: listed.id } };
      if (!isElsewhere) free -= 1;
      continue;
    }
    const worker = {
      ...(claim.worker === null ? {} : { worker: claim.worker }),
      ...(isElsewhere ? { backend: foreignName } : {}),
    };
    return attemptLimit(state) ?? invoke(state, { mode: 'IMPLEMENT', task, ...worker });
  }
  return free > 0 ? fillers[flow.fill].fill(state, flow, list, unclaimed) : null;
};

const isLeft = (state: SessionState, task: TaskState): boolean =>
  task.status === 'running' && blockersDone(state, task);

const done = (task: string, attempt: number): EventBody => ({
  type: 'task.qualified',
  task,
  attempt,
  commit: 'skipped',
});

/** Everything is settled: the position is taken again after a split, else the session is reviewed. */
const over = (state: SessionState, flow: FlowState): EventBody | null => {
  if (state.invocations.size > 0 || flow.step !== null || state.changes.step !== null) return null;
  if (hasOpenWork(state)) return null;
  return (
    lastLocks(flow, listOf(state, flow)) ?? fillers[flow.fill].end(state, flow) ?? afterList(state, flow)
  );
};

const afterList = (state: SessionState, flow: FlowState): EventBody | null => {
  if (flow.again) return enter(state, 'PLANNING', 'an issue was split');
  return flow.phases === 'few' ? completed(state) : enter(state, 'SESSION_REVIEW');
};
