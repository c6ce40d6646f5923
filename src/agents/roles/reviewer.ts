import { z } from 'zod';
import type { TaskDefinition } from '../../tasks/task.ts';
import {
  type CommitAnswer,
  commitAnswerSchema,
  type ReviewAnswer,
  reviewAnswerSchema,
  steerTraceSchema,
} from '../answers.ts';
import { describeResult } from '../command-result.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Artifact, Brief, Message, Procedure, RoleEnd, RolePort } from '../port.ts';
import { steerAction } from '../steer-tree.ts';
import { reportPath } from './executor.ts';
import { joinMessages, messageSchema, summarize } from './messages.ts';
import { onOwnEvidence, uncheckedIn, unmetIn, withProof } from './own-evidence.ts';
import {
  briefFault,
  emitSteer,
  escalationHalt,
  type Halt,
  haltOf,
  type Notes,
  passCheckpoint,
  readContinuation,
  type Turn,
  takeTurn,
} from './passing.ts';
import { answerOfPerson } from './person-verdict.ts';
import { promptFor } from './prompts/render-prompt.ts';
import { reviewReport } from './reports.ts';
import { sessionReview } from './session-review.ts';

/**
 * TASK_REVIEW (seed 000, section 5): step 0, step 1.5, the checks, and a look into the mailbox between verdict and commit. An ABORT there skips the
 * commit and returns the result so far. A STEER there repeats the review, at most twice. SESSION_REVIEW has its own file.
 */
export const reviewer: Procedure = async (port) => {
  if (port.brief.mode === 'SESSION_REVIEW') return sessionReview(port);
  const { task } = port.brief;
  if (!task) return briefFault(port, 'a task');
  const earlier = readContinuation(port.brief.continuation, continuationSchema);
  let state: Continuation = earlier
    ? { ...earlier, messages: joinMessages(earlier.messages, port.brief.messages) }
    : { step: '0', messages: port.brief.messages, steers: [], evaluations: 0, answer: null };

  for (const step of ['0', '1.5'] as const) {
    if (state.step !== step) continue;
    const passed = await passCheckpoint(port, `Reviewer.${step}`, notesOf(state), {
      task,
      changed: [],
      ran: [],
    });
    if (passed.kind === 'halt') return halted(port, task, passed.halt, { ...state, ...passed.notes });
    state = { ...state, ...passed.notes, step: step === '0' ? '1.5' : 'review' };
  }
  for (;;) {
    if (state.step === 'review' && port.brief.verdict)
      state = { ...state, step: 'verdict', answer: answerOfPerson(task, port.brief.verdict) };
    if (state.step === 'review') {
      const turn = await takeReview(port, state);
      if (turn.kind === 'end') return turn.end;
      if (turn.kind === 'halt') return halted(port, task, turn.halt, { ...state, turn: turn.continuation });
      const { escalation } = turn.answer;
      const answer = {
        ...held(port.brief, task, turn.answer),
        actions: [...(port.brief.verification ?? []).map(describeResult), ...turn.answer.actions],
      };
      state = { ...state, step: 'verdict', answer, turn: undefined };
      if (escalation !== undefined) return halted(port, task, escalationHalt(escalation), state);
    }
    const directive = await port.checkpoint('Reviewer.verdict');
    if (directive.kind !== 'go') return halted(port, task, haltOf(directive), state);
    const judged = reconsider(port, state, directive.messages);
    state = judged.state;
    if (judged.escalation !== null) return halted(port, task, escalationHalt(judged.escalation), state);
    if (state.step === 'verdict') return concluded(port, task, state);
  }
};

/** The answer, with a verdict that its own criteria bear out. */
const held = ({ verification = [] }: Brief, task: TaskDefinition, answer: ReviewAnswer): ReviewAnswer => {
  const criteria = withProof(
    task,
    onOwnEvidence(task.criteria, answer.criteria),
    answer.looked ?? [],
    verification,
  );
  const unmet = answer.verdict === 'Qualified' ? unmetIn(criteria) : [];
  return unmet.length === 0
    ? { ...answer, criteria }
    : { ...answer, criteria, verdict: 'Failed', feedback: unmet.join('; ') };
};

/** `step` is the next step. `answer` is the verdict before the last look into the mailbox. */
const continuationSchema = z.object({
  step: z.enum(['0', '1.5', 'review', 'verdict']),
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  /** How many times a STEER repeated the review. */
  evaluations: z.number().int(),
  answer: reviewAnswerSchema.nullable(),
  turn: z.unknown().optional(),
});
type Continuation = z.infer<typeof continuationSchema>;

const notesOf = ({ messages, steers }: Continuation): Notes => ({ messages, steers });

const takeReview = (port: RolePort, state: Continuation) =>
  takeTurn(
    port,
    {
      kind: port.brief.verifies ? 'verify' : 'review',
      prompt: promptFor(port.brief, 'review', { messages: state.messages }),
      messages: state.messages,
      data: { continuation: state.turn },
    },
    'Reviewer.1.5',
    reviewAnswerSchema,
  );

/** A STEER between verdict and commit repeats the review with it, at most twice. A third one is only noted. */
const reconsider = (
  port: RolePort,
  state: Continuation,
  arrived: readonly Message[],
): { readonly state: Continuation; readonly escalation: string | null } => {
  let next: Continuation = { ...state, messages: joinMessages(state.messages, arrived) };
  let escalation: string | null = null;
  const steers = arrived.filter((message) => message.kind === 'STEER');
  const again = steers.length > 0 && state.evaluations < 2;
  for (const message of steers) {
    const verdict = message.apply === 'escalate' ? 'escalate' : again ? 're-evaluated' : 'context';
    const evidence =
      verdict === 'escalate'
        ? 'the sender chose escalate'
        : `the verdict was ${state.answer?.verdict ?? 'open'}${again ? '' : ' and was already re-evaluated twice'}`;
    const trace = {
      id: message.id,
      text: message.text,
      verdict,
      evidence,
      action: steerAction(verdict, message.text),
    } as const;
    emitSteer(port, trace);
    next = { ...next, steers: [...next.steers, trace] };
    if (verdict === 'escalate') escalation = message.text;
  }
  if (again && escalation === null) next = { ...next, step: 'review', evaluations: state.evaluations + 1 };
  return { state: next, escalation };
};

const concluded = async (port: RolePort, task: TaskDefinition, state: Continuation): Promise<RoleEnd> => {
  const { answer } = state;
  if (!answer) return briefFault(port, 'a verdict in its continuation');
  const commit = await commitStep(port, task, answer);
  if (commit.kind === 'halt') return halted(port, task, commit.halt, state);
  const { stopped } = commit.answer;
  const end =
    stopped === undefined ? ({ status: 'completed', blockers: [] } as const) : haltOf({ kind: stopped });
  return {
    kind: 'outcome',
    outcome: {
      ...outcomeOf(task, answer, commit.answer, end),
      ...(port.brief.verifies ? { verification: answer.verification } : {}),
      ...(port.brief.verdict === undefined ? {} : { reviewed_by: port.brief.verdict.by }),
    },
    // The review that follows writes the report, with what verifying it showed.
    artifacts:
      port.brief.verifies && answer.verdict === 'Qualified'
        ? []
        : [part2(port, task, answer, state, commit.answer)],
  };
};

/** A failed commit never changes the verdict (src/engine/README.md, Commit step). The report gives the reason. */
const commitStep = async (
  port: RolePort,
  task: TaskDefinition,
  answer: ReviewAnswer,
): Promise<Exclude<Turn<CommitAnswer>, { readonly kind: 'end' }>> => {
  if (!port.brief.settings.commit || port.brief.isolated || port.brief.verifies) return skipped('');
  if (answer.verdict !== 'Qualified') return skipped('only qualified work is committed');
  const asks = port.brief.settings.review === 'both' || leavesOpen(port.brief, task, answer);
  if (asks && port.brief.verdict === undefined) return skipped('a person decides first');
  const changed = port.brief.changed ?? task.files;
  const turn = await takeTurn(
    port,
    // Code commits without asking an agent.
    { kind: 'commit', prompt: '', messages: [], data: { changed } },
    null,
    commitAnswerSchema,
  );
  if (turn.kind !== 'end') return turn;
  const detail = turn.end.kind === 'failed' ? turn.end.fault.what : 'the agent did not say what it committed';
  return { kind: 'answer', answer: { status: 'failed', detail, files: [], unattributed: [] } };
};

const leavesOpen = ({ asks }: Brief, task: TaskDefinition, answer: ReviewAnswer): boolean =>
  asks === true && uncheckedIn(task, statusOf(answer)).length > 0;

const statusOf = ({ criteria }: ReviewAnswer): OutcomeOf<'Reviewer'>['criteria_results'] =>
  Object.fromEntries(criteria.map((criterion) => [criterion.criterion, criterion.status]));

const skipped = (detail: string) =>
  ({ kind: 'answer', answer: { status: 'skipped', detail, files: [], unattributed: [] } }) as const;

const halted = (port: RolePort, task: TaskDefinition, halt: Halt, state: Continuation): RoleEnd => {
  const partial = halt.status === 'paused' ? null : state.answer;
  return {
    kind: 'outcome',
    outcome: outcomeOf(task, partial, { status: 'skipped', detail: '' }, halt),
    artifacts: partial ? [part2(port, task, partial, state, skipped(halt.blockers.join(' ')).answer)] : [],
    ...(halt.status === 'paused' ? { continuation: state } : {}),
    ...(halt.escalation === undefined ? {} : { escalation: halt.escalation }),
  };
};

const outcomeOf = (
  task: TaskDefinition,
  answer: ReviewAnswer | null,
  commit: Pick<CommitAnswer, 'status' | 'commit' | 'detail' | 'unseen'>,
  end: { readonly status: 'completed' | 'blocked' | 'paused'; readonly blockers: readonly string[] },
): OutcomeOf<'Reviewer'> => ({
  role: 'Reviewer',
  mode: 'TASK_REVIEW',
  status: end.status,
  blockers: end.blockers,
  ...(answer ? { verdict: answer.verdict } : {}),
  criteria_results: answer === null ? {} : statusOf(answer),
  feedback: answer?.feedback ?? '',
  ...(answer?.failed === undefined ? {} : { failed: answer.failed }),
  commit_status: commit.status,
  ...(commit.status === 'success' && commit.commit !== undefined ? { commit: commit.commit } : {}),
  ...(commit.status !== 'success' && commit.detail !== ''
    ? { commit_detail: summarize(commit.detail, longestDetail) }
    : {}),
  ...(commit.unseen === undefined ? {} : { commit_unseen: commit.unseen }),
  gaps: [],
  next_action: answer?.verdict === 'Failed' ? `rework ${task.id}` : '',
});

/** The most characters of the reason for a missing commit, which fills one line. */
const longestDetail = 300;

const part2 = (
  port: RolePort,
  task: TaskDefinition,
  answer: ReviewAnswer,
  state: Continuation,
  commit: CommitAnswer,
): Artifact => ({
  root: 'session',
  path: reportPath(port, task),
  text: reviewReport(answer, notesOf(state), commit),
  write: 'append',
});
