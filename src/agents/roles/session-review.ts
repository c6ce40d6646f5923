import { relative } from 'node:path';
import { z } from 'zod';
import { sessionPaths } from '../../session/paths.ts';
import { formatReview } from '../../session/review.ts';
import { type SessionReviewAnswer, sessionReviewAnswerSchema, steerTraceSchema } from '../answers.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Brief, Procedure, RoleEnd, RolePort } from '../port.ts';
import type { SteerSubject } from '../steer-tree.ts';
import { joinMessages, messageSchema } from './messages.ts';
import { type Halt, noTask, passCheckpoint, readContinuation, takeTurn } from './passing.ts';
import { promptFor } from './prompts/render-prompt.ts';

/** SESSION_REVIEW: a look into the mailbox, which seed 000 asks of every agent at its start, then the verdict on the whole iteration in `review.md`. */
export const sessionReview: Procedure = async (port) => {
  const earlier = readContinuation(port.brief.continuation, continuationSchema);
  let state: Continuation = earlier
    ? { ...earlier, messages: joinMessages(earlier.messages, port.brief.messages) }
    : { messages: port.brief.messages, steers: [] };
  const passed = await passCheckpoint(port, 'Reviewer.session', state, subjectOf(port.brief));
  state = { ...state, ...passed.notes };
  if (passed.kind === 'halt') return halted(port, passed.halt, state);
  const turn = await takeTurn(
    port,
    {
      kind: 'review-session',
      prompt: promptFor(port.brief, 'review-session', { messages: state.messages }),
      messages: state.messages,
      data: { continuation: state.turn },
    },
    null,
    sessionReviewAnswerSchema,
  );
  if (turn.kind === 'end') return turn.end;
  if (turn.kind === 'halt') return halted(port, turn.halt, { ...state, turn: turn.continuation });
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

/** `turn` is the worker's own state from before a pause. */
const continuationSchema = z.object({
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  turn: z.unknown().optional(),
});
type Continuation = z.infer<typeof continuationSchema>;

/** Code judges the iteration by its tasks alone. */
const subjectOf = ({ model }: Brief): SteerSubject =>
  model ? noTask : { ...noTask, cannot: () => 'without a model the iteration is judged by its tasks alone' };

const halted = (port: RolePort, halt: Halt, state: Continuation): RoleEnd => ({
  kind: 'outcome',
  outcome: outcomeOf(port, null, halt),
  artifacts: [],
  ...(halt.status === 'paused' ? { continuation: state } : {}),
});

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
