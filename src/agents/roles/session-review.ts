import { relative } from 'node:path';
import { sessionPaths } from '../../session/paths.ts';
import { formatReview } from '../../session/review.ts';
import { type SessionReviewAnswer, sessionReviewAnswerSchema } from '../answers.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Brief, Procedure, RolePort } from '../port.ts';
import { type Halt, takeTurn } from './passing.ts';
import { promptFor } from './prompts/render-prompt.ts';

/** SESSION_REVIEW: judges the whole iteration in `review.md`. It has no checkpoint of its own (seed 000, section 5). */
export const sessionReview: Procedure = async (port) => {
  const turn = await takeTurn(
    port,
    {
      kind: 'review-session',
      prompt: promptFor(port.brief, 'review-session', { messages: port.brief.messages }),
      messages: port.brief.messages,
      data: { continuation: port.brief.continuation },
    },
    null,
    sessionReviewAnswerSchema,
  );
  if (turn.kind === 'end') return turn.end;
  if (turn.kind === 'halt') {
    const continuation = turn.halt.status === 'paused' ? { continuation: turn.continuation } : {};
    return { kind: 'outcome', outcome: outcomeOf(port, null, turn.halt), artifacts: [], ...continuation };
  }
  const paths = sessionPaths(port.brief.workspace, port.brief.session);
  return {
    kind: 'outcome',
    outcome: outcomeOf(port, turn.answer, { status: 'completed', blockers: [] }),
    artifacts: [
      {
        root: 'session',
        path: relative(paths.directory, paths.iteration(port.brief.iteration).review),
        text: reviewText(port.brief, turn.answer),
        write: 'replace',
      },
    ],
  };
};

/** `review.md`: the verdict on the iteration. */
const reviewText = (brief: Brief, answer: SessionReviewAnswer): string =>
  formatReview({
    session_id: brief.session,
    iteration: brief.iteration,
    review_date: brief.at ?? '',
    complete: answer.goals_achieved,
    assessment: answer.assessment,
    tasks: answer.results.map(({ task, title, status, evidence }) => ({
      task,
      title,
      verdict: status,
      note: evidence,
    })),
    gaps: answer.gaps,
    nextAction: answer.next_action,
  });

const outcomeOf = (
  port: RolePort,
  answer: SessionReviewAnswer | null,
  end: Pick<Halt, 'blockers'> & { readonly status: 'completed' | 'blocked' | 'paused' },
): OutcomeOf<'Reviewer'> => ({
  role: 'Reviewer',
  mode: 'SESSION_REVIEW',
  status: end.status,
  blockers: end.blockers,
  criteria_results: {},
  feedback: '',
  commit_status: 'skipped',
  ...(answer ? { assessment: answer.assessment, goals_achieved: answer.goals_achieved } : {}),
  gaps: answer?.gaps ?? [],
  next_action: answer?.next_action ?? (port.brief.tasks.length > 0 ? 'review again' : ''),
});
