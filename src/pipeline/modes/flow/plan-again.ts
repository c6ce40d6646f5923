import { createFlowTask } from '../../../issues/task-list/flow-task.ts';
import type { FlowPart } from './flow-part.ts';
import { define } from './planning.ts';
import { standingOfFlow } from './position-of-flow.ts';

/**
 * An implementation whose task a person redefined waits for a new plan and its review, which get the words. Its issue stays In Progress, and the work
 * costs no attempt.
 */
export const planAgain: FlowPart = (state, flow, list) => {
  const escalated = list.find(
    ({ task, listed }) => task.replan !== null && task.status === 'open' && listed.phase === 'implement',
  );
  const standing = escalated === undefined ? null : standingOfFlow(flow);
  if (escalated === undefined || standing === null) return null;
  const { task, listed } = escalated;
  const issues = listed.issues.flatMap((id) => standing.index.byId.get(id) ?? []);
  for (let round = task.replans + 2; ; round += 1) {
    const subject = { issues, span: listed.span, round };
    const plan = createFlowTask({ ...subject, phase: 'plan', blockedBy: [] });
    const gate = flow.review === 'human' ? ('human' as const) : null;
    const review = createFlowTask({ ...subject, phase: 'review', blockedBy: [plan.id], gate });
    if (state.tasks.has(plan.id) || state.tasks.has(review.id)) continue;
    const added = define(state, standing, flow.review === 'skip' ? [plan] : [plan, review]);
    const last = flow.review === 'skip' ? plan.id : review.id;
    const { definition } = task;
    return {
      ...added,
      tasks: [...added.tasks, { ...definition, blockedBy: [...definition.blockedBy, last] }],
      replaces: listed.id,
    };
  }
};
