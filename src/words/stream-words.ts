import { safe } from '../base/safe.ts';
import { flowTaskOf } from '../issues/task-list/stored-task.ts';
import { type Listed, listOf } from '../pipeline/modes/flow/flow-tasks.ts';
import type { SessionState } from '../pipeline/state.ts';

/** Where the work of each stream of a flow is, one sentence per pull request: merged, or on its branch with the place of its text. */
export const streamWords = (session: SessionState): readonly string[] => {
  const { flow } = session;
  if (flow === null) return [];
  const list = listOf(session, flow).filter(({ work }) => work.recorded);
  return list
    .filter(({ listed }) => listed.phase === 'pr')
    .map((pull) => {
      const issues = pull.listed.issues.map(safe).join(', ');
      const branch = textOf(pull, 'branch');
      return list.some((each) => isMergeOf(each, pull))
        ? `${issues}: merged from ${branch}`
        : `${issues}: on ${branch}, pull request ${textOf(pull, 'pr_url')}${isChecked(session, pull) ? '' : '; no command checked it'}`;
    });
};

const isMergeOf = (each: Listed, pull: Listed): boolean =>
  each.listed.phase === 'merge' &&
  each.work.result['state'] === 'MERGED' &&
  each.listed.issues.every((issue) => pull.listed.issues.includes(issue));

const textOf = ({ work }: Listed, key: string): string => {
  const value = work.result[key];
  return typeof value === 'string' ? safe(value) : '—';
};

/** Whether each implementation in the pull request had commands to pass. */
const isChecked = (session: SessionState, pull: Listed): boolean =>
  [...session.tasks.values()].every(({ definition, status }) => {
    const each = flowTaskOf(definition);
    const isOfPull =
      each?.phase === 'implement' && each.issues.some((issue) => pull.listed.issues.includes(issue));
    return !isOfPull || status !== 'done' || definition.verify.length > 0;
  });
