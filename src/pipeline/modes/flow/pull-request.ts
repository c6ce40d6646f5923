import { mergeCommand } from '../../../base/process/printed-command.ts';
import type { IssueId } from '../../../issues/issue.ts';
import { failedForGood } from '../../../tasks/graph.ts';
import type { TaskId } from '../../../tasks/task.ts';
import { attemptChanges } from '../../changes/attempt-changes.ts';
import type { EventBody } from '../../event.ts';
import type { SessionState } from '../../state.ts';
import { checksOf, noVerdict } from './code-review.ts';
import type { FlowPart } from './flow-part.ts';
import { type FlowState, type FlowWork, isRecorded } from './flow-state.ts';
import { type Listed, listOf } from './flow-tasks.ts';

/** The end of a task whose result is kept. */
export const qualified = ({ task, listed }: Listed): EventBody => ({
  type: 'task.qualified',
  task: listed.id,
  attempt: task.attempt,
  commit: 'skipped',
});

/**
 * What follows from an open pull request (src/issues/README.md, After the PR). One on GitHub is looked at with each poll: with `flow.auto_merge` until its checks
 * have passed in two looks, since GitHub lists some of them later than others; else as long as a person or `--watch` watches. A failed check, and a change
 * request or a comment of a member, send it back to work. `null`: it waits.
 */
export const pullRequestStep = (state: SessionState, flow: FlowState, each: Listed): EventBody | null => {
  const { listed, work } = each;
  const { missed } = checksOf(state, listed.issues);
  const isWatched = flow.auto_merge || state.attended || state.startFlags.watch === true;
  if (work.sentBack !== null) return reworked(state, flow, each, work.sentBack);
  const step = (body: NonNullable<FlowState['step']>): EventBody | null =>
    flow.step === null ? { type: 'flow.step-started', step: body } : null;
  const toPerson = (feedback: string): EventBody | null =>
    step({ kind: 'send-back', task: listed.id, feedback, escalates: true });
  if (!isOnline(work)) {
    if (flow.auto_merge && missed) return toPerson(`It is ${noVerdict}. ${byHand(work)}`);
    return flow.auto_merge && !isVerified(state, flow, each) ? toPerson(unverified(work)) : qualified(each);
  }
  if (!isWatched) return qualified(each);
  if (work.watched === null) return step({ kind: 'look', task: listed.id });
  switch (work.watched.state) {
    case 'merged':
      return qualified(each);
    case 'closed':
      return {
        type: 'task.cancelled',
        task: listed.id,
        reason: 'a person closed the pull request',
      };
    case 'passed':
      if (flow.auto_merge && missed) return toPerson(`It is ${noVerdict}. Review it, and merge it.`);
      return flow.auto_merge && work.passed?.twice ? qualified(each) : null;
    case 'failed':
    case 'commented':
      return step({
        kind: 'send-back',
        task: listed.id,
        feedback: work.watched.feedback,
        escalates: (flow.rounds.get(listed.id) ?? 0) >= state.settings.flow.feedback_rounds,
      });
    case 'none':
      return flow.auto_merge ? toPerson(unchecked) : null;
    case 'pending':
      return null;
  }
};

/** Whether its pull request stands on GitHub, and not in a document. */
export const isOnline = (work: FlowWork): boolean => /^https?:/.test(addressOf(work));

/** Where its pull request stands; '' while there is none. */
export const addressOf = ({ result }: FlowWork): string =>
  (result?.phase === 'pr' ? result.pr_url : undefined) ?? '';

/** The branch of its pull request. */
export const branchOf = ({ result }: FlowWork): string | undefined =>
  result?.phase === 'pr' ? result.branch : undefined;

const unchecked = 'No checks have reported on it. Review and merge it, or set up a check that reports on it.';

/** Whether commands of the person had to pass on the branch after each of its implementations. */
const isVerified = (state: SessionState, flow: FlowState, { listed }: Listed): boolean =>
  listOf(state, flow).every(
    ({ task, listed: other }) =>
      other.phase !== 'implement' ||
      task.status !== 'done' ||
      !other.issues.some((id) => listed.issues.includes(id)) ||
      task.definition.verify.length > 0,
  );

const unverified = (work: FlowWork): string =>
  `No command checks the work: set loop.verify, or review it and merge it with ${mergeOf(work)}.`;

const byHand = (work: FlowWork): string => `Review it, and merge it with ${mergeOf(work)}.`;

const mergeOf = (work: FlowWork): string => `\`${mergeCommand(branchOf(work) ?? '')}\``;

/**
 * A person opened an implementation again whose pull request was made: its issues go back to work, and the pull request is made again after it. Nothing is
 * merged before.
 */
export const reopening: FlowPart = (state, flow, list) => {
  const inReview = new Set(
    (flow.reading?.issues ?? []).flatMap(({ id, state }) => (state === 'In Review' ? [id] : [])),
  );
  for (const { task, listed, work } of list) {
    if (listed.phase !== 'pr' || !isRecorded(work) || (task.status !== 'done' && task.status !== 'review'))
      continue;
    const again = openImplementation(state, list, listed.issues);
    if (again === null) continue;
    const reason = `${again} was opened again`;
    if (work.sentBack !== null) return { type: 'task.reset', task: listed.id, reason };
    if (flow.step === null && listed.issues.some((id) => inReview.has(id)))
      return {
        type: 'flow.step-started',
        step: { kind: 'send-back', task: listed.id, feedback: reason, escalates: false },
      };
  }
  return null;
};

/**
 * An implementation of these issues that was done once and is to be done again: it waits, works, or is reviewed or merged. `null` without one.
 */
export const openImplementation = (
  { settings }: SessionState,
  list: readonly Listed[],
  issues: readonly IssueId[],
): TaskId | null =>
  list.find(
    ({ task, listed }) =>
      listed.phase === 'implement' &&
      task.attempt > 0 &&
      task.status !== 'done' &&
      task.status !== 'cancelled' &&
      !failedForGood(task, settings.retries.max_attempts) &&
      listed.issues.some((id) => issues.includes(id)),
  )?.listed.id ?? null;

/** Opens the last implementation of the stream again, with the failing part as feedback, and the pull request after it. */
const reworked = (
  state: SessionState,
  flow: FlowState,
  { listed }: Listed,
  { feedback, escalated }: { readonly feedback: string; readonly escalated: boolean },
): EventBody => {
  const reason = 'its pull request was sent back';
  if (escalated)
    return { type: 'task.cancelled', task: listed.id, reason: 'its pull request needs a person' };
  const last = listOf(state, flow).findLast(
    ({ listed: other }) => other.phase === 'implement' && listed.blockedBy.includes(other.id),
  );
  const message = flow.refused.get(listed.id)?.isComment ? `${feedback}\n\n${perhapsNothing}` : feedback;
  return last?.task.status === 'done'
    ? { type: 'task.reset', task: last.listed.id, reason, message, from: 'Reviewer' }
    : { type: 'task.reset', task: listed.id, reason };
};

/** Thanks, and words to somebody else, are comments too. */
const perhapsNothing = 'If these words ask for no change, change nothing and say so in the report.';

/**
 * Work is not done by an attempt that changed nothing, also if its agent and its Reviewer say so: its issue would be closed for nothing, and a pull request
 * that was sent back refused once more. Only a comment may ask for nothing; and work that this session did not plan may be on its branch already.
 */
export const changedNothing = (
  state: SessionState,
  flow: FlowState,
  list: readonly Listed[],
  id: TaskId,
): EventBody | null => {
  const task = state.tasks.get(id);
  const pull = list.find(({ listed }) => listed.phase === 'pr' && listed.blockedBy.includes(id));
  const refused = pull && flow.refused.get(pull.listed.id);
  const landed = task && attemptChanges(state, task);
  if (task === undefined || refused?.isComment === true || landed === undefined) return null;
  if (landed.merged === null || landed.merged !== landed.mergedOnto) return null;
  const issues = list.find(({ listed }) => listed.id === id)?.listed.issues ?? [];
  const isPlanned = list.some(
    ({ listed, work }) =>
      listed.phase === 'plan' && isRecorded(work) && listed.issues.some((issue) => issues.includes(issue)),
  );
  if (refused === undefined && !isPlanned) return null;
  const reason =
    refused === undefined
      ? 'it changed no file'
      : `it changed nothing, but its pull request was sent back: ${refused.feedback}`;
  return { type: 'task.failed', task: id, attempt: task.attempt, reason, counts: true };
};
