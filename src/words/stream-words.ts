import { safe } from '../base/safe.ts';
import type { IssueId } from '../issues/issue.ts';
import { takeCommands } from '../issues/pull-requests/take-commands.ts';
import { checksOf, noVerdict } from '../pipeline/modes/flow/code-review.ts';
import { type FlowState, isRecorded } from '../pipeline/modes/flow/flow-state.ts';
import { type Listed, listOf } from '../pipeline/modes/flow/flow-tasks.ts';
import { addressOf, branchOf, isOnline } from '../pipeline/modes/flow/pull-request.ts';
import type { SessionState } from '../pipeline/state.ts';

/** Where the work of each stream of a flow is, one sentence per pull request: merged, or on its branch with the place of its text. */
export const streamWords = (session: SessionState, go = ''): readonly string[] =>
  streamSentences(session, go).map(({ words }) => words);

/** The sentences of `streamWords` for streams with an issue that is in review. */
export const inReviewWords = (session: SessionState): readonly string[] => {
  const inReview = new Set(
    session.flow?.reading?.issues.flatMap(({ id, state }) => (state === 'In Review' ? [id] : [])),
  );
  return streamSentences(session, '').flatMap(({ issues, words }) =>
    issues.some((id) => inReview.has(id)) ? [words] : [],
  );
};

interface StreamSentence {
  readonly issues: readonly IssueId[];
  readonly words: string;
}

const streamSentences = (session: SessionState, go: string): readonly StreamSentence[] => {
  const { flow } = session;
  if (flow === null) return [];
  const list = listOf(session, flow).filter(({ work }) => isRecorded(work));
  return list
    .filter(({ listed }) => listed.phase === 'pr')
    .map((pull) => {
      const issues = pull.listed.issues.map(safe).join(', ');
      const branch = safe(branchOf(pull.work) ?? '—');
      const words = list.some((each) => isMergeOf(each, pull))
        ? `${issues}: merged from ${branch}`
        : `${issues}: on ${branch}, pull request ${safe(addressOf(pull.work)) || '—'}${checkWords(session, pull)}${takeWords(flow, pull, go)}`;
      return { issues: pull.listed.issues, words };
    });
};

/** Which pull requests were sent back, or are now refused by a check or a member, and for what; those that are merged or closed by now are not. */
export const refusedWords = (session: SessionState): readonly string[] => {
  const { flow } = session;
  if (flow === null) return [];
  return listOf(session, flow).flatMap(({ task, listed, work }) => {
    const { state = null, feedback: said = '' } = work.watched ?? {};
    const failed = state === 'failed' || state === 'commented' ? said : null;
    const feedback = failed ?? flow.refused.get(listed.id)?.feedback;
    if (feedback === undefined || (failed === null && task.status === 'done')) return [];
    const [why = ''] = feedback.split('\n');
    const round = flow.rounds.get(listed.id) ?? 0;
    const rounds = round === 0 ? '' : ` (round ${round} of ${session.settings.flow.feedback_rounds})`;
    return [`${listed.issues.map(safe).join(', ')}: sent back${rounds}: ${safe(why)}`];
  });
};

/** The commands that merge a branch without a pull request elsewhere and close its issues, as they are typed; '' where that place does both. */
const takeWords = (flow: FlowState, pull: Listed, go: string): string => {
  const branch = branchOf(pull.work);
  if (isOnline(pull.work) || branch === undefined) return '';
  const inReview = (flow.reading?.issues ?? []).filter(
    ({ id, state }) => pull.listed.issues.includes(id) && state === 'In Review',
  );
  if (inReview.length === 0) return '';
  const issues = inReview.map(({ id }) => id);
  return `; to take it: ${go}${takeCommands(branch, issues, flow.tracker)}`;
};

const isMergeOf = ({ listed, work: { result } }: Listed, pull: Listed): boolean =>
  result?.phase === 'merge' &&
  result.state === 'MERGED' &&
  listed.issues.every((issue) => pull.listed.issues.includes(issue));

/** What a person has to know before the branch is merged. */
const checkWords = (session: SessionState, { listed }: Listed): string => {
  const { verified, reviewed, missed } = checksOf(session, listed.issues);
  if (missed) return `; ${noVerdict}${verified ? '' : ', and no command checked it'}`;
  if (verified) return '';
  return reviewed
    ? '; reviewed, but no command checked it'
    : '; no one reviewed it, and no command checked it';
};
