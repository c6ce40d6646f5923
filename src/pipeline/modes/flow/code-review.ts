import type { IssueId } from '../../../issues/issue.ts';
import { flowTaskOf } from '../../../issues/task-list/stored-task.ts';
import { asksPersonToo, isReviewed, personVerdict, reviewStep } from '../../changes/person-review.ts';
import type { EventBody } from '../../event.ts';
import { backendOf, invoke } from '../../invoke.ts';
import { tasksAtWork } from '../../scheduling/ready.ts';
import { mayReview } from '../../scheduling/slots.ts';
import { mostWithoutResult, slotOf } from '../../slot.ts';
import type { Invocation, SessionState, TaskState } from '../../state.ts';
import type { FlowPart } from './flow-part.ts';
import { isRecorded } from './flow-state.ts';
import { listOf } from './flow-tasks.ts';

/** Whether somebody looks at an implementation before it is on the branch of its stream: the Reviewer, or a person (setting `review`). */
export const isReviewedFirst = (state: SessionState, task: TaskState): boolean =>
  state.settings.review !== 'agent' || backendOf(state, 'Reviewer', task) !== 'script';

/** What looked at the work on some issues before its branch was pushed: each implementation passed commands, or was reviewed. */
export const checksOf = (
  state: SessionState,
  issues: readonly IssueId[],
): {
  readonly verified: boolean;
  readonly reviewed: boolean;
  /** A review that was due ended without a verdict. */
  readonly missed: boolean;
} => {
  const works = [...state.tasks.values()].filter(({ definition, status }) => {
    const each = flowTaskOf(definition);
    return (
      each?.phase === 'implement' && status === 'done' && each.issues.some((issue) => issues.includes(issue))
    );
  });
  const all = (holds: (task: TaskState) => boolean): boolean => works.length > 0 && works.every(holds);
  return {
    verified: all(({ definition }) => definition.verify.length > 0),
    reviewed: all((task) => isReviewedFirst(state, task) && !task.unreviewed),
    missed: works.some(({ unreviewed }) => unreviewed),
  };
};

/** Why work is not reviewed that was to be. */
export const noVerdict = 'not reviewed: the Reviewer gave no verdict';

/** Whether an implementation continues without the verdict of its Reviewer if that gives none. A person's verdict is never passed over. */
export const mayMissReview = (state: SessionState, task: TaskState): boolean =>
  state.mode === 'flow' &&
  task.definition.phase === 'implement' &&
  task.status === 'review' &&
  task.review === 'open' &&
  personVerdict(state, task) === null;

/**
 * The end of a review that gave no verdict, however often it was asked: the work is not reviewed, which costs no attempt and stops nothing. `null`: this
 * work waits for its verdict.
 */
export const missedReview = (
  state: SessionState,
  task: TaskState | undefined,
  reason: string,
  invocation?: Pick<Invocation, 'id' | 'mode'>,
): EventBody | null =>
  task === undefined ||
  !mayMissReview(state, task) ||
  (invocation !== undefined && invocation.mode !== 'TASK_REVIEW')
    ? null
    : {
        type: 'review.missed',
        task: task.definition.id,
        attempt: Math.max(task.attempt, 1),
        reason,
        next: asksPersonToo(state) ? 'person' : 'merge',
        ...(invocation === undefined ? {} : { invocation: invocation.id }),
      };

/** Reviews implementations: nothing is merged onto a branch, pushed or proposed before. */
export const reviewing: FlowPart = (state, _flow, list) => {
  const busy = tasksAtWork(state);
  for (const { task, listed } of list) {
    if (listed.phase !== 'implement' || task.status !== 'review') continue;
    if (isReviewed(task) || busy.has(listed.id)) continue;
    if ((state.noResults.get(slotOf('TASK_REVIEW', listed.id)) ?? 0) >= mostWithoutResult) {
      const missed = missedReview(state, task, 'it ended twice without a result');
      if (missed !== null) return missed;
    }
    const step = reviewStep(state, task);
    if (step !== 'wait' && step !== 'invoke') return step;
    if (step === 'wait' || !mayReview(state, task)) continue;
    const review = invoke(state, { mode: 'TASK_REVIEW', task });
    if (review !== null) return review;
  }
  return null;
};

/**
 * The automated criteria of the plan that an implementation carries out. Those of a plan for several issues hold once the last of them is implemented, so
 * that one answers for all.
 */
export const planCriteria = (state: SessionState, task: TaskState): readonly string[] => {
  const own = flowTaskOf(task.definition);
  if (state.flow === null || own?.phase !== 'implement') return [];
  const list = listOf(state, state.flow);
  const plan = list.findLast(
    ({ listed, work }) =>
      listed.phase === 'plan' && isRecorded(work) && own.issues.every((id) => listed.issues.includes(id)),
  );
  if (plan === undefined) return [];
  const isLast = list.every(
    ({ task: other, listed }) =>
      listed.id === own.id ||
      listed.phase !== 'implement' ||
      other.status === 'done' ||
      other.status === 'cancelled' ||
      !listed.issues.some((id) => plan.listed.issues.includes(id)),
  );
  const { result } = plan.work;
  return isLast && result?.phase === 'plan' ? (result.criteria ?? []) : [];
};
