import { formatFault } from '../../base/fault.ts';
import type { IssueId } from '../../issues/issue.ts';
import type {
  OpenedRequest,
  PullRequestLook,
  PullRequests,
} from '../../issues/pull-requests/pull-requests.ts';
import type { EventBody, EventOf } from '../../pipeline/event.ts';
import { isRecorded, type Moved } from '../../pipeline/modes/flow/flow-state.ts';
import { type Listed, listOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { addressOf } from '../../pipeline/modes/flow/pull-request.ts';
import { tellProblem } from '../tell-problem.ts';
import { dropCopies } from './document-copies.ts';
import { answered, type FlowContext, flowOf, LostIssues, listedTask, notGone } from './flow-context.ts';
import { goOnText } from './go-on.ts';
import { commentOnce, moveAlong, routeOf } from './move-along.ts';

/** Looks at the checks and reviews of a pull request. A look that fails says nothing. */
export const lookAtPullRequest = async (context: FlowContext, task: string): Promise<EventBody> => {
  const listed = listedTask(context, task);
  const seen = await look(context, listed);
  if (seen === null) return { type: 'pr.looked', task, state: 'pending', feedback: '', moved: [] };
  const { state, feedback, head, comments } = seen;
  const moved: readonly Moved[] =
    state === 'merged'
      ? await moveAlong(context, notGone(context, listed.listed.issues), routeOf('In Review', 'complete'))
      : [];
  if (state === 'merged') await dropCopies(context, listed);
  return {
    type: 'pr.looked',
    task,
    state,
    feedback,
    head,
    ...(comments === undefined ? {} : { comments }),
    moved,
  };
};

/** Whether each open pull request stands as at the last look, and no look is due. One that cannot be looked at counts as unchanged. */
export const areAsSeen = async (context: FlowContext): Promise<boolean> => {
  const flow = flowOf(context);
  for (const each of listOf(context.core.loop.state(), flow)) {
    const { watched, passed } = each.work;
    if (watched === null || each.task.status === 'done' || each.task.status === 'cancelled') continue;
    if (flow.auto_merge && passed?.twice === false) return false;
    const seen = await look(context, each);
    if (seen === null) continue;
    const { state, feedback, head } = seen;
    const isSame =
      state === watched.state && feedback === watched.feedback && (passed === null || passed.commit === head);
    if (!isSame) return false;
  }
  return true;
};

/** The tasks whose pull request a person merged while it was worked on again. One that cannot be looked at counts as open. */
export const mergedMeanwhile = async (context: FlowContext): Promise<readonly Listed[]> => {
  const { pullRequests } = context.port;
  if (pullRequests === null) return [];
  const flow = flowOf(context);
  const merged: Listed[] = [];
  for (const each of listOf(context.core.loop.state(), flow)) {
    const url = flow.refused.get(each.listed.id)?.url ?? '';
    const isOver = each.task.status === 'done' || each.task.status === 'cancelled';
    if (url === '' || isOver || isRecorded(each.work)) continue;
    const looked = await pullRequests.look(url);
    if (looked.ok && looked.value.state === 'merged') merged.push(each);
  }
  return merged;
};

/** Closes the issues of such pull requests: what a person merged needs no more work. */
export const closeMerged = async (context: FlowContext): Promise<void> => {
  for (const { listed } of await mergedMeanwhile(context))
    await moveAlong(context, notGone(context, listed.issues), routeOf('In Progress', 'complete', 'complete'));
};

/** The pull request as it stands now; `null`, and a problem of the session, when that cannot be found out. */
const look = async (context: FlowContext, { work, listed }: Listed): Promise<News | null> => {
  const { core } = context;
  const { refused } = flowOf(context);
  const looked = await requests(context).look(addressOf(work), answeredOf(context, listed.id));
  if (looked.ok) return newsOf(looked.value, refused.get(listed.id)?.head ?? null);
  const what = `the pull request of ${listed.issues.join(', ')} cannot be read: ${looked.faults.map(formatFault).join('; ')}`;
  tellProblem(core, { code: 'tracker-unread', what });
  return null;
};

/** The comments on the pull request of a task that are no news. */
export const answeredOf = (context: FlowContext, task: string): ReadonlySet<string> =>
  new Set(flowOf(context).answered.get(task));

type News = Pick<EventOf<'pr.looked'>, 'state' | 'feedback' | 'comments'> & { readonly head: string };

/** What a look says that is not known. A commit that was sent back already is no news: what was pushed since is still to be checked. */
const newsOf = (
  { state, checks, feedback, head, comments }: PullRequestLook,
  sentBack: string | null,
): News => {
  if (state !== 'open') return { state, feedback, head };
  const isKnown = checks === 'failed' && head === sentBack;
  const isFailed = checks === 'failed' && !isKnown;
  if (comments === undefined)
    return { state: isKnown ? 'pending' : checks, feedback: isKnown ? '' : feedback, head };
  return {
    state: isFailed ? 'failed' : 'commented',
    feedback: [...(isFailed ? [feedback] : []), comments.words].join('\n\n'),
    head,
    comments: [...comments.ids],
  };
};

/** Sends the issues of a pull request back to work, or, after too many rounds, to a person. */
export const sendBack = async (
  context: FlowContext,
  {
    task,
    feedback,
    escalates,
  }: { readonly task: string; readonly feedback: string; readonly escalates: boolean },
): Promise<EventBody> => {
  const each = listedTask(context, task);
  const issues = notGone(context, each.listed.issues);
  if (escalates)
    for (const id of issues) await commentOnce(context, id, leftText(context, each, id, feedback));
  const moved = await moveAlong(context, issues, routeOf('In Review', escalates ? 'escalate' : 'reject'));
  return { type: 'pr.sent-back', task, feedback, escalated: escalates, moved };
};

/** The comment for the person to take over. More work helps only a pull request that is refused. */
const leftText = (
  context: FlowContext,
  { listed, work }: Listed,
  issue: IssueId,
  feedback: string,
): string => {
  const rounds = flowOf(context).rounds.get(listed.id) ?? 0;
  const isRefused = work.watched?.state === 'failed' || work.watched?.state === 'commented';
  if (!isRefused) return `Human Needed: the pull request cannot be merged without a person.\n\n${feedback}`;
  const tried =
    rounds === 0
      ? 'the pull request is refused, and flow.feedback_rounds lets no one work on it again'
      : `the pull request was sent back to work ${rounds === 1 ? 'once' : `${rounds} times`}, and is refused again`;
  return [`Human Needed: ${tried}.`, feedback.trim(), goOnText(issue, 'In Review')].join('\n\n');
};

/** Where pull requests are made; a session without such a place never asks. */
export const requests = ({ port }: FlowContext) => {
  if (port.pullRequests === null) throw new LostIssues('this tracker has no pull requests');
  return port.pullRequests;
};

/** The pull request that was opened or adopted. The push is ours: no agent that works meanwhile is blamed for it. */
export const openOnline = async (
  context: FlowContext,
  wanted: Parameters<PullRequests['open']>[0],
): Promise<OpenedRequest> => answered(await context.ours(() => requests(context).open(wanted)));
