import { isReady } from '../../scheduling/ready.ts';
import type { FlowPart } from './flow-part.ts';
import { isRecorded } from './flow-state.ts';
import type { Listed } from './flow-tasks.ts';

/**
 * With `flow.draft` a pull request is there as a draft from the first commit: the documents of its plan, right before the work begins, or else the first work
 * that is reviewed. It says what is done until the whole of it follows. One that was sent back has its text already.
 */
export const drafting: FlowPart = (state, flow, list) => {
  if (flow.draft !== true || flow.step !== null) return null;
  // A commit of documents would come between a merge and its landing.
  if (state.changes.step !== null || state.changes.train.length > 0) return null;
  for (const each of list) {
    const { listed, task, work } = each;
    if (listed.phase !== 'pr' || task.status !== 'open' || isRecorded(work)) continue;
    if (flow.refused.has(listed.id) || work.draft?.shown === 'never') continue;
    const works = implementationsOf(list, each);
    const done = works.filter((other) => other.task.status === 'done').length;
    const begins = works.some((other) => other.task.status === 'open' && isReady(state, other.task));
    const isDue = work.draft === undefined ? begins || done > 0 : done > work.draft.done.length;
    if (isDue && done < works.length)
      return { type: 'flow.step-started', step: { kind: 'draft', task: listed.id } };
  }
  return null;
};

/** The work that a pull request is to bring. */
export const implementationsOf = (list: readonly Listed[], pull: Listed): readonly Listed[] =>
  list.filter(
    ({ listed, task }) =>
      listed.phase === 'implement' &&
      task.status !== 'cancelled' &&
      listed.issues.some((id) => pull.listed.issues.includes(id)),
  );
