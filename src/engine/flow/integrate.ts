import { FaultError } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import type { Attempt, Merge, SessionChanges } from '../../changes/port.ts';
import { branchLinked } from '../../issues/documents/branch-linked.ts';
import { findDocument } from '../../issues/documents/find-document.ts';
import type { IssueId } from '../../issues/issue.ts';
import { objectionTo } from '../../issues/pull-requests/pull-requests.ts';
import { takeCommands } from '../../issues/pull-requests/take-commands.ts';
import { isMovedBack, isOver } from '../../issues/task-list/over.ts';
import { attemptKey, gitAttempt } from '../../pipeline/changes/changes-state.ts';
import type { EventBody } from '../../pipeline/event.ts';
import { isRecorded } from '../../pipeline/modes/flow/flow-state.ts';
import { type Listed, listOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { addressOf, openImplementation } from '../../pipeline/modes/flow/pull-request.ts';
import { changesOf, dropCopies, withoutCopies } from './document-copies.ts';
import { answered, type FlowContext, flowOf, LostIssues, Overtaken, showIssue } from './flow-context.ts';
import { needsPerson } from './needs-person.ts';
import { answeredOf, requests } from './watch-pull-request.ts';

/**
 * Merges the branch of a stream into the branch that is checked out, which `flow.auto_merge` gave leave for. A conflict needs a person: the issues say so,
 * and other streams continue. Returns the commit.
 */
export const integrate = async (
  context: FlowContext,
  each: Listed,
  issues: readonly IssueId[],
): Promise<string> => {
  if (context.port.pullRequests !== null) {
    stillDue(context, each);
    const commit = await mergeOnline(context, issues, () => lastLook(context, each, issues));
    await dropCopies(context, each);
    return commit;
  }
  const changes = await changesOf(context, each);
  const merge = await mergeOf(context, issues, changes);
  stillDue(context, each);
  // Where there was nothing to propose, the person's branch may have moved since: what a merge would make then was not verified.
  const proposed = proposalOf(context, each);
  let why: unknown = null;
  const isWanted = async (): Promise<boolean> => {
    try {
      await lastLook(context, each, issues);
      return true;
    } catch (error) {
      why = error;
      return false;
    }
  };
  const finished = await withoutCopies(context, issues, changes, () =>
    context.ours(() => changes.finish({ how: 'merge', ...merge, proposed, isWanted })),
  );
  if (finished.ok) return finished.value.how === 'merged' ? finished.value.commit : '';
  if (why !== null) throw why;
  if (finished.fault.code !== 'conflict') throw new FaultError(finished.fault);
  return needsPerson(context, issues, finished.fault);
};

/** A merge cannot be taken back: right before it the issues are read once more, since git may have worked for a while. */
const lastLook = async (context: FlowContext, each: Listed, issues: readonly IssueId[]): Promise<void> => {
  await refuseTaken(context, issues);
  stillDue(context, each);
};

/** Throws when a person cancelled the merge, or opened its work again, while trackers and git were asked: nothing has moved yet. */
const stillDue = (context: FlowContext, { listed }: Listed): void => {
  const state = context.core.loop.state();
  if (state.tasks.get(listed.id)?.status === 'cancelled') throw new Overtaken('it was cancelled');
  const again = openImplementation(state, listOf(state, flowOf(context)), listed.issues);
  if (again !== null) throw new Overtaken(`${again} was opened again`);
};

/** Throws when all the issues are over or moved back by now. `Done` may be our own word from before a crash. */
export const refuseTaken = async (context: FlowContext, issues: readonly IssueId[]): Promise<void> => {
  const now = await Promise.all(issues.map((id) => showIssue(context.port.tracker, id)));
  const isTaken = ({ state }: (typeof now)[number]): boolean =>
    state !== 'Done' && (isOver(state) || isMovedBack('merge', state));
  if (now.every(isTaken))
    throw new LostIssues(now.map(({ id, state }) => `issue ${id} is now ${state}`).join(', '));
};

/**
 * Two streams that each passed their commands may fail them together: a merge that makes a new state is made in a worktree first. `null`: there is nothing
 * to verify, or it passed. What failed, or conflicts, needs a person.
 */
export const proposeMerge = async (
  context: FlowContext,
  each: Listed,
  issues: readonly IssueId[],
): Promise<EventBody | null> => {
  if (context.port.pullRequests !== null) return null;
  // A new branch of this session would hold nothing of that work.
  if (openedFor(context, issues) === null) throw await ofEarlierSession(context, issues);
  const { task, listed } = each;
  if (task.status === 'failed')
    return needsPerson(context, issues, {
      code: 'merge-failed',
      what: `the changes were not merged, because the merged result failed: ${task.reason ?? ''}`,
    });
  const changes = await changesOf(context, each);
  const proposal = proposalOf(context, each);
  const made = await changes.propose(proposal, await mergeOf(context, issues, changes));
  if (!made.ok) {
    if (made.fault.code === 'conflict') return needsPerson(context, issues, made.fault);
    throw new FaultError(made.fault);
  }
  if (made.value === null) return null;
  const { commit, directory, branch } = made.value;
  const state = context.core.loop.state();
  const attempt = attemptNumber(task);
  const known = state.changes.attempts.get(attemptKey(state.iteration, listed.id, attempt));
  if (task.verification !== null && known?.before === commit) return null;
  return { type: 'merge.proposed', task: listed.id, attempt, commit, directory, branch: branch ?? '' };
};

const attemptNumber = ({ attempt }: Listed['task']): number => Math.max(attempt, 1);

const proposalOf = ({ core }: FlowContext, { task, listed }: Listed): Attempt =>
  gitAttempt(core.loop.state().iteration, listed.id, attemptNumber(task));

const mergeOf = async (
  context: FlowContext,
  issues: readonly IssueId[],
  { worktree }: SessionChanges,
): Promise<Merge> => {
  const { core } = context;
  const { changes: port, paths } = core.options;
  // The leave was given for the branch of the start: another one that is checked out meanwhile is refused.
  const now = (await port?.examine(paths.workspace))?.repository?.branch ?? null;
  const into = flowOf(context).on ?? core.loop.state().changes.session?.on ?? now;
  if (into === null)
    throw new FaultError({
      code: 'no-branch',
      what: 'no branch is checked out to merge into',
      hint: 'switch to one, then resume',
    });
  return { into, message: `Merge ${worktree?.branch ?? ''}\n\nIssues: ${issues.join(', ')}` };
};

/** The task of this session that opened the pull request of some issues. */
const openedFor = (context: FlowContext, issues: readonly IssueId[]): Listed | null =>
  listOf(context.core.loop.state(), flowOf(context)).find(
    ({ listed, work }) =>
      listed.phase === 'pr' && isRecorded(work) && listed.issues.some((id) => issues.includes(id)),
  ) ?? null;

/**
 * Merges the pull requests that an earlier session of ours linked from the issues, once their checks have passed. A link in a comment of another member is
 * not ours to merge, and says nothing of this work.
 */
const mergeLinked = async (
  context: FlowContext,
  issues: readonly IssueId[],
  lastLook: () => Promise<void>,
): Promise<string> => {
  const urls = new Set<string>();
  for (const id of issues) {
    const issue = await showIssue(context.port.tracker, id);
    const own = context.port.own();
    const ours = issue.comments.filter(({ id: comment, body }) => own.get(comment) === sha256(body));
    const found = findDocument(issue, 'implementation', ours, []);
    if (found === null) throw await ofEarlierSession(context, [id]);
    urls.add(found.location);
  }
  for (const url of urls) {
    const { state, checks, head, isDraft } = answered(await requests(context).look(url));
    if (state === 'merged') continue;
    if (state === 'closed' || checks !== 'passed')
      throw new LostIssues(
        state === 'closed'
          ? `${url} was closed`
          : `could not confirm that the checks of ${url} passed: review and merge it`,
      );
    if (isDraft)
      throw new LostIssues(`${url} is a draft, because no one reviewed it: review it and mark it ready`);
    await lastLook();
    await mergeAt(context, issues, { url, head });
  }
  return '';
};

/** Merges a pull request at the commit that was checked. What GitHub refuses to merge is left to a person. */
const mergeAt = async (
  context: FlowContext,
  issues: readonly IssueId[],
  {
    url,
    head,
    isDraft = false,
  }: { readonly url: string; readonly head: string; readonly isDraft?: boolean | undefined },
): Promise<void> => {
  // Its checks have passed: it may be a draft because nothing else had looked at it.
  const merged = await requests(context).merge(url, head, isDraft);
  const refused = merged.ok ? undefined : merged.faults.find(({ code }) => code === 'not-mergeable');
  if (refused !== undefined) return needsPerson(context, issues, { ...refused, where: url });
  answered(merged);
};

/** This session has checked nothing of that work. Our own comment names its branch. */
const ofEarlierSession = async (context: FlowContext, issues: readonly IssueId[]): Promise<LostIssues> => {
  const [first = ''] = issues;
  const own = context.port.own();
  const branch = branchLinked(
    await showIssue(context.port.tracker, first),
    (comment) => own.get(comment.id) === sha256(comment.body),
  );
  const was = `${issues.join(', ')} ${issues.length === 1 ? 'was' : 'were'} worked on before this session, which has checked nothing of it`;
  return new LostIssues(
    branch === null
      ? `${was}: merge the branch of that work, then run \`${printedCommand('ralph-tui', 'issues', 'move', first, 'done')}\``
      : `${was}: review it, then run \`${takeCommands(branch, issues, flowOf(context).tracker)}\``,
  );
};

/** GitHub merges the commit whose checks were seen to pass, and no later one. */
const mergeOnline = async (
  context: FlowContext,
  issues: readonly IssueId[],
  lastLook: () => Promise<void>,
): Promise<string> => {
  const opened = openedFor(context, issues);
  if (opened === null) return mergeLinked(context, issues, lastLook);
  const url = addressOf(opened.work);
  // There may be a pause or a restart in between: members may have asked for changes since.
  const seen = answered(await requests(context).look(url, answeredOf(context, opened.listed.id)));
  const { state, checks, isDraft } = seen;
  if (state === 'merged') return '';
  if (state === 'closed') throw new LostIssues(`${url} was closed`);
  const objection = objectionTo(seen);
  if (objection !== null)
    return needsPerson(context, issues, {
      code: 'failed-since',
      what: `a merge that had passed is now refused: ${objection}`,
      where: url,
    });
  if (checks !== 'passed' || opened.work.passed === null)
    throw new FaultError({
      code: 'unchecked',
      what: `could not confirm that the checks of ${url} passed`,
      hint: 'review and merge it, then resume',
    });
  await lastLook();
  await mergeAt(context, issues, { url, head: opened.work.passed.commit, isDraft });
  return '';
};
