import type { EventBody } from '../../pipeline/event.ts';
import type { PlanVerdict } from '../../pipeline/modes/flow/flow-state.ts';
import { keepApproved } from './approved-plan.ts';
import { type FlowContext, listedTask } from './flow-context.ts';
import { goOnText } from './go-on.ts';
import { commentOnce, moveAlong, routeOf } from './move-along.ts';
import { openIssues } from './open-issues.ts';

/** Moves the issues of a reviewed plan, and says why on those that need a person. */
export const decidePlan = async (
  context: FlowContext,
  {
    task,
    verdict,
    reason,
    by,
  }: { readonly task: string; readonly verdict: PlanVerdict; readonly reason: string; readonly by: string },
): Promise<EventBody> => {
  const each = listedTask(context, task);
  const issues = openIssues(context, each);
  if (verdict === 'refused')
    for (const id of issues)
      await commentOnce(
        context,
        id,
        `Human Needed: ${reason} (${by}).\n\n${goOnText(id, 'Plan in Progress')}`,
      );
  const moved = await moveAlong(context, issues, verdictRoutes[verdict]);
  const approved = verdict === 'approved' ? keepApproved(context, each) : null;
  return {
    type: 'plan.decided',
    task,
    verdict,
    by,
    reason,
    moved,
    ...(approved === null ? {} : { approved }),
  };
};

const verdictRoutes = {
  approved: routeOf('Plan in Progress', 'complete', 'complete'),
  again: routeOf('Plan in Review', 'reject'),
  refused: routeOf('Plan in Progress', 'complete', 'escalate'),
} as const;
