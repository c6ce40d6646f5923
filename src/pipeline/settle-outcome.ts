import type { Outcome, OutcomeOf } from '../agents/outcome.ts';
import { checkHandedIn } from '../agents/replies/flow-shapes.ts';
import { uncheckedIn } from '../agents/roles/own-evidence.ts';
import { assertNever } from '../base/assert-never.ts';
import { flowTaskOf } from '../issues/task-list/stored-task.ts';
import { keepsIssuesIn } from '../issues/trackers/tracker-name.ts';
import { violationsIn } from '../session/guidance/guards.ts';
import { attemptChanges } from './changes/attempt-changes.ts';
import { asksPersonToo } from './changes/person-review.ts';
import { isAloneIn } from './changes/train.ts';
import { asksWhereUnchecked, isVerifying, overruledBy } from './changes/verifying.ts';
import type { EventBody } from './event.ts';
import type { FailureCause } from './events/failure-cause.ts';
import { isVerifiedAgain } from './invoke.ts';
import { isIsolated } from './isolated.ts';
import { reading } from './modes/flow/flow-tasks.ts';
import { isCheck } from './scheduling/slots.ts';
import type { Invocation, SessionState, TaskState } from './state.ts';
import { planFault } from './waves.ts';

/** The fact that follows from an outcome, or a sentence why it is invalid. Then the call counts as failed. */
export const settleOutcome = (
  state: SessionState,
  invocation: Invocation,
  outcome: Outcome,
  task: TaskState | undefined,
): EventBody | string => {
  switch (outcome.role) {
    case 'Executor':
      return task ? executor(state, invocation, outcome, task) : 'its task does not exist';
    case 'Reviewer':
      return reviewer(state, invocation, outcome, task);
    case 'Planner':
      return planner(state, invocation, outcome, task);
    case 'Questioner':
      return outcome.status === 'completed' ? itemDone(invocation) : wordsOf(outcome);
    case 'Librarian':
      return outcome.status === 'completed' ? librarian(invocation, outcome) : wordsOf(outcome);
    default:
      return assertNever(outcome);
  }
};

const causedBy = (
  who: FailureCause['who'],
  { failed }: OutcomeOf<'Executor' | 'Reviewer'>,
): FailureCause => ({ who, ...(failed === undefined ? {} : { command: failed }) });

const wordsOf = (outcome: Outcome): string => outcome.blockers.join('; ') || outcome.status;

/** A turn that changed forbidden files has failed, whatever it reports. */
const executor = (
  state: SessionState,
  invocation: Invocation,
  outcome: OutcomeOf<'Executor'>,
  task: TaskState,
): EventBody | string => {
  const { guidance, workspace } = state;
  const result = {
    task: task.definition.id,
    attempt: invocation.attempt ?? task.attempt,
    invocation: invocation.id,
  };
  const violations = violationsIn(guidance, outcome.files_modified, workspace);
  if (violations.length > 0)
    return {
      type: 'task.failed',
      ...result,
      reason: violations.map(({ sentence }) => sentence).join('; '),
      cause: { who: 'work' },
      counts: true,
    };
  if (state.mode === 'flow' && outcome.status === 'completed')
    return phaseResult(state, task, outcome, result);
  return outcome.status === 'completed'
    ? { type: 'task.submitted', ...result, files: [...outcome.files_modified] }
    : {
        type: 'task.failed',
        ...result,
        reason: wordsOf(outcome),
        cause: causedBy('work', outcome),
        counts: true,
        ...(outcome.hopeless ? { final: true } : {}),
      };
};

/** A merge of these would move issues, or tell later agents what to do. */
const isOurs = ({ flow }: SessionState, file: string): boolean =>
  /^\.ralph\/(?:agents|skills)\//.test(file) || keepsIssuesIn(flow?.tracker ?? '', file);

/** A phase without its keys is not completed, and a reader that changed files has failed. */
const phaseResult = (
  state: SessionState,
  task: TaskState,
  outcome: OutcomeOf<'Executor'>,
  result: { readonly task: string; readonly attempt: number; readonly invocation: string },
): EventBody | string => {
  const listed = flowTaskOf(task.definition);
  if (listed === null) return 'its task is not in the list';
  const tracked = outcome.files_modified.find((file) => isOurs(state, file));
  if (tracked !== undefined)
    return {
      type: 'task.failed',
      ...result,
      reason: `it changed ${tracked}: issues, agents and skills are not part of a task's work, so its changes stay in its worktree`,
      cause: { who: 'work' },
      counts: true,
      afresh: true,
    };
  const [changed, ...more] = reading.has(listed.phase) ? outcome.files_modified : [];
  if (changed !== undefined)
    return {
      type: 'task.failed',
      ...result,
      reason: `${listed.role} changed ${changed}${more.length > 0 ? ` and ${more.length} more` : ''}: files must not be changed in the ${listed.phase} phase`,
      cause: { who: 'work' },
      counts: true,
    };
  const checked = checkHandedIn(listed.phase, outcome.result ?? {});
  if (!checked.ok) return checked.faults.map(({ what }) => what).join('; ');
  return { type: 'task.submitted', ...result, files: [...outcome.files_modified], result: checked.value };
};

const reviewer = (
  state: SessionState,
  invocation: Invocation,
  outcome: OutcomeOf<'Reviewer'>,
  task: TaskState | undefined,
): EventBody | string => {
  if (invocation.mode === 'SESSION_REVIEW') {
    if (outcome.status !== 'completed') return wordsOf(outcome);
    return {
      type: 'session.reviewed',
      assessment: outcome.assessment ?? '',
      goals_achieved: outcome.goals_achieved ?? false,
      gaps: [...outcome.gaps],
      invocation: invocation.id,
    };
  }
  if (!task) return 'its task does not exist';
  const result = {
    task: task.definition.id,
    attempt: invocation.attempt ?? task.attempt,
    invocation: invocation.id,
  };
  const by = outcome.reviewed_by;
  if (outcome.verdict === 'Failed' && invocation.disturbed && isCheck(state, invocation))
    return { type: 'verify.disturbed', ...result, reason: outcome.feedback };
  if (isVerifying(state, task) && outcome.verdict !== undefined)
    return outcome.verdict === 'Qualified'
      ? task.review === 'repeated'
        ? { type: 'task.qualified', ...result }
        : { type: 'task.verified', ...result, results: outcome.verification ?? [] }
      : {
          type: 'task.failed',
          ...result,
          reason: `verify: ${outcome.feedback}`,
          cause: causedBy('verify', outcome),
          counts: true,
        };
  if (isVerifiedAgain(task) && outcome.verdict !== undefined) return verified(state, task, outcome, result);
  const unchecked = asksWhereUnchecked(state, task)
    ? uncheckedIn(task.definition, outcome.criteria_results)
    : [];
  if (outcome.verdict === 'Qualified' && by === undefined && (asksPersonToo(state) || unchecked.length > 0))
    return {
      type: 'review.passed',
      ...result,
      ...(unchecked.length === 0 ? {} : { unchecked: [...unchecked] }),
    };
  if (outcome.verdict === 'Qualified' && isIsolated(state))
    return { type: 'review.passed', ...result, next: 'merge' };
  if (outcome.verdict === 'Qualified')
    return {
      type: 'task.qualified',
      ...result,
      commit: outcome.commit ?? outcome.commit_status,
      ...(outcome.commit_detail === undefined ? {} : { commit_detail: outcome.commit_detail }),
      ...(outcome.commit_unseen === undefined ? {} : { commit_unseen: outcome.commit_unseen }),
    };
  if (outcome.verdict === 'Failed')
    return {
      type: 'task.failed',
      ...result,
      reason: `${by === undefined ? 'review' : `review by ${by}`}: ${outcome.feedback}`,
      cause: causedBy('review', outcome),
      counts: true,
    };
  return outcome.status === 'completed' ? 'the review gave no verdict' : wordsOf(outcome);
};

/** The result of `verify` on the merge. */
const verified = (
  state: SessionState,
  task: TaskState,
  outcome: OutcomeOf<'Reviewer'>,
  result: { readonly task: string; readonly attempt: number; readonly invocation: string },
): EventBody => {
  if (outcome.verdict !== 'Failed') return { type: 'merge.verified', ...result };
  return isAloneIn(attemptChanges(state, task))
    ? {
        type: 'merge.rejected',
        ...result,
        reason: `review: ${outcome.feedback}`,
        cause: causedBy('review', outcome),
        alone: true,
      }
    : {
        type: 'merge.rejected',
        ...result,
        reason: `after the merge${overruledWords(state, task)}: ${outcome.feedback}`,
        cause: causedBy('merge', outcome),
      };
};

const overruledWords = (state: SessionState, task: TaskState): string => {
  const ids = overruledBy(state, task).map(({ definition }) => definition.id);
  return ids.length === 0 ? '' : `, checked as ${ids.join(' and ')} too, whose lines gave way`;
};

const planner = (
  state: SessionState,
  invocation: Invocation,
  outcome: OutcomeOf<'Planner'>,
  task: TaskState | undefined,
): EventBody | string => {
  if (outcome.status !== 'completed') return wordsOf(outcome);
  const added = invocation.definedTasks ?? [];
  const fault = planFault(state, added);
  if (fault !== null) return fault;
  const tasks = [...added];
  if (invocation.mode === 'REBREAKDOWN_TASK')
    return task
      ? { type: 'tasks.defined', tasks, invocation: invocation.id, replaces: task.definition.id }
      : 'its task does not exist';
  if (added.length > 0) return { type: 'tasks.defined', tasks, invocation: invocation.id };
  if (invocation.mode === 'TASK_BREAKDOWN' && state.tasks.size === 0) return 'the plan has no tasks';
  return itemDone(invocation);
};

const itemDone = (invocation: Invocation): EventBody =>
  invocation.item === null
    ? { type: 'invocation.settled', invocation: invocation.id, reason: 'done' }
    : { type: 'plan-item.marked', item: invocation.item, mark: 'done', invocation: invocation.id };

const librarian = (invocation: Invocation, outcome: OutcomeOf<'Librarian'>): EventBody =>
  invocation.mode === 'PROMOTE'
    ? { type: 'knowledge.promoted', files: [...outcome.promoted], invocation: invocation.id }
    : {
        type: 'knowledge.staged',
        files: [...outcome.staged],
        carried: [...outcome.carried],
        dropped: [...outcome.dropped],
        invocation: invocation.id,
      };
