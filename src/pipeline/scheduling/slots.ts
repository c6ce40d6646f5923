import { foreignName } from '../../agents/profiles/foreign-name.ts';
import { backendOf } from '../invoke.ts';
import { isIsolated } from '../isolated.ts';
import type { Invocation, SessionState, TaskState } from '../state.ts';

/** How many more Executors may start. Workers of other programs need no slot of this machine; checks beyond those that run beside take one. */
export const freeSlots = (state: SessionState): number => {
  const executors = [...state.invocations.values()].filter(
    ({ mode, backend }) => mode === 'IMPLEMENT' && backend !== foreignName,
  ).length;
  const { max_parallel_executors: slots } = state.settings.concurrency;
  return slots - executors - Math.max(0, -checksLeft(state));
};

/** How many more checks may run beside Executors; below 0 for those that have a slot. */
const checksLeft = (state: SessionState): number =>
  checksBeside(state) - [...state.invocations.values()].filter((each) => isCheck(state, each)).length;

/** Whether the next check needs a slot. */
export const checkTakesSlot = (state: SessionState): boolean => checksLeft(state) <= 0;

/** Whether one more review may start. A check, which runs the commands of its task, needs a core: one kept for checks, or a free slot. */
export const mayReview = (state: SessionState, task: TaskState): boolean => {
  if (task.definition.verify.length > 0 && backendOf(state, 'Reviewer', task) === 'script')
    return !checkTakesSlot(state) || freeSlots(state) > 0;
  const reviews = [...state.invocations.values()].filter(
    (each) => each.mode === 'TASK_REVIEW' && !isCheck(state, each),
  );
  return reviews.length < state.settings.concurrency.max_parallel_reviewers;
};

/** Checks that take no slot from Executors. In a shared tree each runs in the slot of its task. */
export const checksBeside = (state: SessionState): number =>
  isIsolated(state) ? state.settings.concurrency.max_parallel_checks || Math.max(1, state.cores - 1) : 0;

/** Whether a review runs the commands of its task. */
export const isCheck = ({ tasks }: SessionState, { mode, backend, task }: Invocation): boolean =>
  mode === 'TASK_REVIEW' &&
  backend === 'script' &&
  task !== null &&
  (tasks.get(task)?.definition.verify.length ?? 0) > 0;

/** Whether its result is looked at for a while: by commands, an agent or a person. */
export const isLookedAt = (state: SessionState, task: TaskState): boolean =>
  task.definition.verify.length > 0 || backendOf(state, 'Reviewer', task) !== 'script';

/** It is done in a moment: no command, no agent and no person looks at it any more. */
export const settlesAtOnce = (state: SessionState, task: TaskState): boolean =>
  task.status === 'review' &&
  task.definition.verify.length === 0 &&
  (task.review === 'passed' ||
    task.review === 'merged' ||
    task.review === 'landed' ||
    (task.review === 'open' && backendOf(state, 'Reviewer', task) === 'script')) &&
  state.settings.review === 'agent' &&
  (task.review === 'landed' || !isBehindCheck(state, task));

/** A merge lands after those before it in the train, whose checks may take long. */
const isBehindCheck = ({ changes: { train }, tasks }: SessionState, { definition }: TaskState): boolean => {
  const at = train.findIndex(({ task }) => task === definition.id);
  return train.slice(0, at < 0 ? train.length : at).some(({ task: id }) => {
    const task = tasks.get(id);
    return task !== undefined && task.review !== 'verified' && task.definition.verify.length > 0;
  });
};
