import type { IssueId } from '../../issues/issue.ts';
import { isMovedBack, isOver } from '../../issues/task-list/over.ts';
import { type Listed, listOf } from '../../pipeline/modes/flow/flow-tasks.ts';
import { type FlowContext, flowOf, notGone } from './flow-context.ts';

/** The task's issues that are not over, and that nobody moved back before this phase, with work that was not cancelled; all of them when there is none. */
export const openIssues = (context: FlowContext, { listed }: Listed): readonly IssueId[] => {
  const off = new Set(
    listOf(context.core.loop.state(), flowOf(context)).flatMap((each) =>
      // One that gave way to the parts of its stream says nothing of its issue.
      each.listed.phase === 'implement' &&
      each.task.status === 'cancelled' &&
      !each.listed.replaced_by.some((part) => part !== each.listed.id)
        ? each.listed.issues
        : [],
    ),
  );
  const states = new Map((flowOf(context).reading?.issues ?? []).map(({ id, state }) => [id, state]));
  const there = notGone(context, listed.issues);
  const open = there.filter((id) => {
    const state = states.get(id);
    return !off.has(id) && (state === undefined || !(isOver(state) || isMovedBack(listed.phase, state)));
  });
  return open.length === 0 ? there : open;
};
