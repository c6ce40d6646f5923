import { safe } from '../base/safe.ts';
import { checksOf } from '../pipeline/modes/flow/code-review.ts';
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
        : `${issues}: on ${branch}, pull request ${textOf(pull, 'pr_url')}${checkWords(session, pull)}`;
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

/** What a person has to know before the branch is merged. */
const checkWords = (session: SessionState, { listed }: Listed): string => {
  const { verified, reviewed } = checksOf(session, listed.issues);
  if (verified) return '';
  return reviewed
    ? '; reviewed, but no command checked it'
    : '; no one reviewed it, and no command checked it';
};
