import { type Fault, formatFault } from '../../base/fault.ts';
import type { IssueId } from '../../issues/issue.ts';
import type { IssueState } from '../../issues/state.ts';
import { type FlowContext, LostIssues } from './flow-context.ts';
import { goOnText } from './go-on.ts';
import { commentOnce, moveAlong, routeOf } from './move-along.ts';

/** Leaves issues to a person, with the reason on each: by default a stream that cannot be merged. The other streams continue. */
export const needsPerson = async (
  context: FlowContext,
  issues: readonly IssueId[],
  fault: Fault,
  route: readonly IssueState[] = routeOf('In Review', 'escalate'),
): Promise<never> => {
  const reason = formatFault(fault);
  const [from = 'In Review'] = route;
  for (const id of issues) await commentOnce(context, id, `Human Needed: ${reason}\n\n${goOnText(id, from)}`);
  await moveAlong(context, issues, route);
  throw new LostIssues(reason);
};
