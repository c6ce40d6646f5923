import { printedCommand } from '../../base/process/printed-command.ts';
import type { Issue, IssueId } from '../../issues/issue.ts';
import { isHeldByOther } from '../../issues/lock.ts';
import { isMovedBack, isOver } from '../../issues/task-list/over.ts';
import type { Moved } from '../../pipeline/modes/flow/flow-state.ts';
import type { Listed } from '../../pipeline/modes/flow/flow-tasks.ts';
import { changeIssue, type FlowContext, flowOf, showIssue } from './flow-context.ts';
import { goOnText } from './go-on.ts';
import { commentOnce } from './move-along.ts';

/**
 * Leaves the issues of a task that failed for good to a person: each says what was tried, why it failed and what continues it. An issue that a person
 * closed, took over or moved back meanwhile stays as it is.
 */
export const leaveToPerson = async (
  context: FlowContext,
  each: Listed,
  issues: readonly IssueId[],
  failed: string,
): Promise<readonly Moved[]> => {
  const left: Moved[] = [];
  const { phase } = each.listed;
  const { holder, phases } = flowOf(context);
  const isOurs = (issue: Issue): boolean =>
    !isOver(issue.state) && !isHeldByOther(issue, holder) && !isMovedBack(phase, issue.state, phases);
  for (const id of issues) {
    const issue = await showIssue(context.port.tracker, id);
    const known = flowOf(context).reading?.issues.find((read) => read.id === id)?.state;
    // A crash may have come after the move.
    const isLeft = issue.state === 'Human Needed' && known !== undefined && known !== issue.state;
    if (!isOurs(issue) && !isLeft) continue;
    await commentOnce(context, id, failureText(context, each, known ?? issue.state, id, failed));
    const { after } = await changeIssue(context, id, (now) =>
      isOurs(now) ? { state: 'Human Needed', lock: null } : null,
    );
    const from = isLeft ? known : issue.state;
    if (after.state === 'Human Needed') left.push({ issue: id, from, to: after.state });
  }
  return left;
};

const failureText = (
  { core }: FlowContext,
  { task, listed }: Listed,
  state: Issue['state'],
  issue: IssueId,
  failed: string,
): string => {
  const { session } = core.options.paths;
  const tries = task.attempt === 1 ? 'in its only attempt' : `after ${task.attempt} attempts`;
  const retry = printedCommand('ralph-tui', 'retry', listed.id, '--session', session);
  return [
    `Human Needed: "${listed.subject}" failed ${tries}.`,
    `The last reason: ${failed}`,
    `To try it again in session ${session}: \`${retry}\`, then \`${printedCommand('ralph-tui', 'resume', session)}\`.`,
    goOnText(issue, state),
  ].join('\n\n');
};
