import { formatTimestamp } from '../../base/clock.ts';
import { formatFault } from '../../base/fault.ts';
import type { IssueId } from '../../issues/issue.ts';
import { isSameHolder, takeLock } from '../../issues/lock.ts';
import type { IssueState } from '../../issues/state.ts';
import { isMovedBack, isOver } from '../../issues/task-list/over.ts';
import { stateAfter } from '../../issues/transitions.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { Moved } from '../../pipeline/modes/flow/flow-state.ts';
import { locking } from '../../pipeline/modes/flow/flow-tasks.ts';
import {
  changeIssue,
  type FlowContext,
  flowOf,
  LostIssues,
  listedTask,
  movedFrom,
  notGone,
} from './flow-context.ts';
import { leaveToPerson } from './leave-to-person.ts';

/**
 * Takes the locks of a task's issues: all of them, or none. Issues that are over meanwhile are left out, and so are those that a person moved back while
 * the others continue. When none is left, the task is lost.
 */
export const lockIssues = async (context: FlowContext, task: string): Promise<EventBody> => {
  const { listed, work } = listedTask(context, task);
  const left = new Map((work.left ?? []).map(({ issue, from }) => [issue, from]));
  const taken: IssueId[] = [];
  const moved: Moved[] = [];
  let movedBack: string | null = null;
  const at = formatTimestamp(context.core.options.clock);
  const isBack = (state: IssueState): boolean => isMovedBack(listed.phase, state, flowOf(context).phases);
  for (const id of notGone(context, listed.issues)) {
    let why: string | null = null;
    const { after } = await changeIssue(context, id, (issue) => {
      why = null;
      // A person who tries a failed task again takes its issue out of Human Needed.
      const before = issue.state === 'Human Needed' ? left.get(id) : undefined;
      const state = before ?? issue.state;
      if (isOver(state) || isBack(state)) return null;
      if (!locking.has(listed.phase)) return before === undefined ? null : { state };
      // With few phases a plan is the first that happens to an issue.
      const isNew = listed.phase === 'plan' && state === 'Backlog';
      const ready = { ...issue, state: isNew ? ('Ready for Plan' as const) : state };
      const lock = takeLock(ready, flowOf(context).holder, at);
      if (!lock.ok) why = lock.faults.map(formatFault).join('; ');
      return lock.ok ? lock.value : null;
    });
    if (why !== null) {
      for (const each of taken) await giveBack(context, each);
      throw new LostIssues(`issue ${id} is now ${after.state}: ${why}`);
    }
    if (isBack(after.state)) movedBack ??= `issue ${id} is now ${after.state}: it was moved back`;
    else if (!isOver(after.state)) taken.push(id);
    moved.push(...movedFrom(flowOf(context), after));
  }
  if (taken.length === 0 && movedBack !== null) throw new LostIssues(movedBack);
  return { type: 'issues.locked', task, moved };
};

/** Gives the locks of a task's issues back, as after a failure. Locks of others stay. After a failure for good the issues need a person. */
export const giveBackIssues = async (
  context: FlowContext,
  { task, failed }: { readonly task: string; readonly failed?: string | undefined },
): Promise<EventBody> => {
  const moved: Moved[] = [];
  const each = listedTask(context, task);
  const issues = notGone(context, each.listed.issues);
  const left = failed === undefined ? undefined : await leaveToPerson(context, each, issues, failed);
  const kept = issues.filter((id) => left?.some(({ issue }) => issue === id) !== true);
  for (const id of kept) moved.push(...(await giveBack(context, id)));
  return {
    type: 'issues.given-back',
    task,
    moved: [...(left ?? []), ...moved],
    ...(left === undefined ? {} : { left: [...left] }),
  };
};

const giveBack = async (context: FlowContext, id: IssueId): Promise<readonly Moved[]> => {
  const me = flowOf(context).holder;
  const { after } = await changeIssue(context, id, ({ state, lock }) => {
    if (lock?.holder == null || !isSameHolder(lock.holder, me)) return null;
    const back = stateAfter(state, 'fail');
    return { lock: null, ...(back.ok ? { state: back.value } : {}) };
  });
  return movedFrom(flowOf(context), after);
};
