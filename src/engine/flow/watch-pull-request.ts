import { formatFault } from '../../base/fault.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { Moved } from '../../pipeline/modes/flow/flow-state.ts';
import { answered, type FlowContext, LostIssues, listedTask, notGone } from './flow-context.ts';
import { commentOnce, moveAlong, routeOf } from './move-along.ts';

/** Looks at the checks and reviews of a pull request. A look that fails says nothing. */
export const lookAtPullRequest = async (context: FlowContext, task: string): Promise<EventBody> => {
  const { core } = context;
  const { work, listed } = listedTask(context, task);
  const looked = await requests(context).look(String(work.result['pr_url'] ?? ''));
  if (!looked.ok) {
    const what = `the pull request of ${listed.issues.join(', ')} cannot be looked at: ${looked.faults.map(formatFault).join('; ')}`;
    if (core.loop.isOpen()) core.loop.run(() => core.problem({ code: 'tracker-unread', what }));
    return { type: 'pr.looked', task, state: 'pending', feedback: '', moved: [] };
  }
  const { state, checks, feedback } = looked.value;
  const moved: readonly Moved[] =
    state === 'merged'
      ? await moveAlong(context, notGone(context, listed.issues), routeOf('In Review', 'complete'))
      : [];
  return { type: 'pr.looked', task, state: state === 'open' ? checks : state, feedback, moved };
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
  const issues = notGone(context, listedTask(context, task).listed.issues);
  if (escalates)
    for (const id of issues)
      await commentOnce(
        context,
        id,
        `Human Needed: the pull request still fails after all rounds.\n\n${feedback}`,
      );
  const moved = await moveAlong(context, issues, routeOf('In Review', escalates ? 'escalate' : 'reject'));
  return { type: 'pr.sent-back', task, feedback, escalated: escalates, moved };
};

/** Where pull requests are made; a session without such a place never asks. */
export const requests = ({ port }: FlowContext) => {
  if (port.pullRequests === null) throw new LostIssues('this tracker has no pull requests');
  return port.pullRequests;
};

/** The address of the pull request that was opened or adopted. */
export const openOnline = async (
  context: FlowContext,
  wanted: { readonly branch: string; readonly title: string; readonly body: string },
): Promise<string> => answered(await requests(context).open(wanted)).url;
