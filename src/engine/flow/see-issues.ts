import type { EventBody } from '../../pipeline/event.ts';
import type { Moved } from '../../pipeline/modes/flow/flow-state.ts';
import { type FlowContext, flowOf, listedTask, movedFrom, notGone, showIssue } from './flow-context.ts';

/** Reads the issues of a task whose merge is about to land: a person may have closed, moved or deleted them since the last poll. Changes nothing. */
export const seeIssues = async (
  context: FlowContext,
  { task, commit }: { readonly task: string; readonly commit: string },
): Promise<EventBody> => {
  const moved: Moved[] = [];
  for (const id of notGone(context, listedTask(context, task).listed.issues))
    moved.push(...movedFrom(flowOf(context), await showIssue(context.port.tracker, id)));
  return { type: 'issues.seen', task, commit, moved };
};
