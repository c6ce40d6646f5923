import type { EventBody } from '../event.ts';
import { invoke } from '../invoke.ts';
import { isIsolated } from '../isolated.ts';
import { chainOfChecks } from '../scheduling/chain.ts';
import { tasksAtWork } from '../scheduling/ready.ts';
import { mayReview } from '../scheduling/slots.ts';
import type { SessionState, TaskState } from '../state.ts';
import { attemptChanges } from './attempt-changes.ts';
import type { AttemptChanges, TrainMember } from './changes-state.ts';
import { isProvenInTrain, permissionStep, verifyOnMerge } from './verifying.ts';

/**
 * The train: finished attempts, each merged onto the one before it, and all verified at the same time. The session's branch moves to one when it is the
 * first and has passed, so that it holds only verified work. One that fails leaves, and those behind it are merged again without it.
 */
export const trainStep = (state: SessionState): EventBody | 'wait' | null => {
  const { train } = state.changes;
  const [head] = train;
  if (head === undefined) return null;
  for (const member of train) {
    const task = state.tasks.get(member.task);
    if (isMember(task, member)) continue;
    // Its check is on its way out. A new attempt of the task has nothing to do with its merge.
    if (isInCheck(state, member)) return 'wait';
    return {
      type: 'merge.rejected',
      ...member,
      reason: 'the task was settled in another way before it was verified',
      cause: { who: 'person' },
    };
  }
  const first = state.tasks.get(head.task);
  if (first !== undefined && isVerified(state, first)) return { type: 'landing.started', ...head };
  return checking(state) ?? 'wait';
};

const isInCheck = ({ invocations }: SessionState, { task: id }: TrainMember): boolean =>
  [...invocations.values()].some(({ mode, task }) => mode === 'TASK_REVIEW' && task === id);

/** The check of a member, as soon as one more may run. */
const checking = (state: SessionState): EventBody | null => {
  const busy = tasksAtWork(state);
  for (const { task: id } of state.changes.train) {
    const task = state.tasks.get(id);
    if (task === undefined || busy.has(id) || isVerified(state, task)) continue;
    const step = permissionStep(state, task);
    if (step !== null && step !== 'wait') return step;
    if (step === 'wait' || !mayReview(state, task)) continue;
    const check = invoke(state, { mode: 'TASK_REVIEW', task });
    if (check !== null) return check;
  }
  return null;
};

/**
 * What is left of the graph behind the check that waits first, once the merge that is being made is in the train: no merge behind it lands before. 0: none waits.
 */
export const chainOfTrain = (state: SessionState): number => {
  const { train, step } = state.changes;
  const boarding = step?.kind === 'merge' ? [{ task: step.task }] : [];
  const members = [...train, ...boarding].flatMap(({ task }) => state.tasks.get(task) ?? []);
  const busy = tasksAtWork(state);
  const waits = (task: TaskState): boolean => !busy.has(task.definition.id) && !isVerified(state, task);
  const first = members.findIndex(waits);
  return first < 0 ? 0 : chainOfChecks(state, members.filter(waits), members.slice(first));
};

const isMember = (task: TaskState | undefined, { attempt }: TrainMember): boolean =>
  task?.status === 'review' &&
  (task.review === 'merged' || task.review === 'verified') &&
  Math.max(task.attempt, 1) === attempt;

/** Its merge has passed, there is nothing to run, or nothing was merged since the attempt began, so that it is the tree that has passed before the review. */
const isVerified = (state: SessionState, task: TaskState): boolean =>
  task.review === 'verified' ||
  verifyOnMerge(state, task).length === 0 ||
  (task.verification !== null && isAloneIn(attemptChanges(state, task)));

/** The merge holds nothing that the attempt did not begin with or make. */
export const isAloneIn = (attempt: AttemptChanges | undefined): boolean =>
  attempt !== undefined && attempt.before !== null && attempt.before === attempt.mergedOnto;

/** Whether the attempt may be merged now. In a flow each stream has a branch of its own, and one merge follows the other. */
export const mayBoard = (state: SessionState, task: TaskState): boolean => {
  const { train, asked } = state.changes;
  // A person's undo waits until the train is empty.
  if (asked !== null) return false;
  const waits = state.mode === 'flow' || attemptChanges(state, task)?.deferred === true;
  return train.length === 0 || !waits;
};

/** Its review ends with its check, which the train runs. */
export const boardsUnreviewed = (state: SessionState, task: TaskState): boolean =>
  isIsolated(state) && task.status === 'review' && task.review === 'open' && isProvenInTrain(state, task);
