import { join, relative } from 'node:path';
import { z } from 'zod';
import { sessionPaths } from '../../session/paths.ts';
import { formatQuestions, type QuestionCategory } from '../../session/questions.ts';
import {
  type AskedQuestion,
  askedQuestionSchema,
  issuesAnswerSchema,
  questionsAnswerSchema,
  researchAnswerSchema,
  steerTraceSchema,
} from '../answers.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Artifact, Brief, Procedure, RoleEnd, RolePort } from '../port.ts';
import { askNew, lookAtAll, questionOf } from './ask-agent.ts';
import { knownQuestions } from './known-questions.ts';
import { joinMessages, messageSchema } from './messages.ts';
import { type Halt, type Notes, noTask, passCheckpoint, readContinuation, takeTurn } from './passing.ts';
import { promptFor } from './prompts/render-prompt.ts';

/**
 * Asks and answers (seed 000, section 4): brainstorm makes the questions of a cycle, research looks into each open one, feedback-analysis into each
 * critical issue. The loops read the mailbox before every turn. Answers from before a pause are kept.
 */
export const questioner: Procedure = async (port) => {
  const { brief } = port;
  const earlier = readContinuation(brief.continuation, continuationSchema);
  const state: Continuation = earlier
    ? { ...earlier, messages: joinMessages(earlier.messages, brief.messages) }
    : { messages: brief.messages, steers: [], questions: null, done: [] };
  return brief.mode === 'brainstorm' ? brainstorm(port, state) : walk(port, state);
};

const continuationSchema = z.object({
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  /** The entries of the loop. `null` until the list exists. */
  questions: z.array(askedQuestionSchema).readonly().nullable(),
  /** Ids of finished entries, each with its critical finding. */
  done: z.array(z.object({ id: z.string(), finding: z.string().nullable() })).readonly(),
  /** The backend's state of the paused turn, so that a reply is not requested twice. */
  turn: z.unknown().optional(),
});
type Continuation = z.infer<typeof continuationSchema>;

const notesOf = ({ messages, steers }: Continuation): Notes => ({ messages, steers });

const brainstorm = async (port: RolePort, begun: Continuation): Promise<RoleEnd> => {
  const passed = await passCheckpoint(port, 'Questioner.brainstorm.1.5', notesOf(begun), noTask);
  const state = { ...begun, ...passed.notes };
  if (passed.kind === 'halt') return halted(port.brief, passed.halt, state);
  const known = await knownQuestions(port);
  const ask = {
    kind: 'brainstorm',
    prompt: promptFor(port.brief, 'brainstorm', { messages: state.messages, questions: known }),
    messages: state.messages,
    data: { continuation: state.turn },
  };
  const turn = port.brief.model
    ? await askNew(port, ask, known)
    : await takeTurn(port, ask, null, questionsAnswerSchema);
  if (turn.kind === 'end') return turn.end;
  if (turn.kind === 'halt') return halted(port.brief, turn.halt, { ...state, turn: turn.continuation });
  return finished(port.brief, turn.answer.questions, {
    generated: turn.answer.generated,
    answered: 0,
    critical: [],
  });
};

/** research and feedback-analysis: one turn for the list, then a checkpoint and a turn for each entry. */
const walk = async (port: RolePort, begun: Continuation): Promise<RoleEnd> => {
  const { brief } = port;
  const isResearch = brief.mode === 'research';
  const checkpoint = isResearch ? 'Questioner.research.2' : 'Questioner.feedback.2';
  let state = begun;
  if (state.questions === null) {
    const list = isResearch ? await openQuestions(port, state) : await criticalIssues(port, state);
    if (list.kind !== 'list') return list.kind === 'end' ? list.end : halted(brief, list.halt, state);
    state = { ...state, questions: list.questions };
  }
  if (brief.model) return answerAll(port, state);
  for (;;) {
    const questions: readonly AskedQuestion[] = state.questions ?? [];
    const next = questions.find((one) => one.answer === '' && !state.done.some(({ id }) => id === one.id));
    if (!next) break;
    const passed = await passCheckpoint(port, checkpoint, notesOf(state), noTask);
    state = { ...state, ...passed.notes };
    if (passed.kind === 'halt') return halted(brief, passed.halt, state);
    if (passed.verdict === 'restart' && state.done.length > 0) {
      state = { ...state, done: [], questions: questions.map((one) => forget(one, state.done)) };
      continue;
    }
    const ask = {
      kind: isResearch ? 'research' : 'analyse',
      prompt: '',
      messages: state.messages,
      data: { question: next, continuation: state.turn },
    };
    const turn = await takeTurn(port, ask, null, researchAnswerSchema);
    if (turn.kind === 'end') return turn.end;
    if (turn.kind === 'halt') return halted(brief, turn.halt, { ...state, turn: turn.continuation });
    const { answer, source, confidence, critical } = turn.answer;
    if (critical) port.emit({ type: 'finding.noted', text: `${next.id}: ${answer || next.question}` });
    state = {
      ...state,
      turn: undefined,
      questions: questions.map((one) => (one.id === next.id ? { ...one, answer, source, confidence } : one)),
      done: [...state.done, { id: next.id, finding: critical ? answer || next.question : null }],
    };
  }
  return walked(port, state);
};

/** The outcome of the loop over the questions. */
const walked = ({ brief }: RolePort, state: Continuation): RoleEnd => {
  const questions = state.questions ?? [];
  const answered = questions.filter((one) => one.answer !== '' && state.done.some(({ id }) => id === one.id));
  return finished(brief, questions, {
    generated: brief.mode === 'research' ? 0 : questions.length,
    answered: answered.length,
    critical: state.done.flatMap(({ finding }) => finding ?? []),
  });
};

/** An agent answers all open questions in one turn, because each turn costs money. */
const answerAll = async (port: RolePort, state: Continuation): Promise<RoleEnd> => {
  const questions = state.questions ?? [];
  const open = questions.filter(({ answer }) => answer === '');
  if (open.length === 0) return walked(port, state);
  const checkpoint = port.brief.mode === 'research' ? 'Questioner.research.2' : 'Questioner.feedback.2';
  const passed = await passCheckpoint(port, checkpoint, notesOf(state), noTask);
  const told = { ...state, ...passed.notes };
  if (passed.kind === 'halt') return halted(port.brief, passed.halt, told);
  const looked = await lookAtAll(port, told, open, checkpoint);
  if (looked.kind === 'end') return looked.end;
  if (looked.kind === 'halt') return halted(port.brief, looked.halt, { ...told, turn: looked.continuation });
  const of = (id: string) => looked.answer.find((one) => one.id === id);
  return walked(port, {
    ...told,
    questions: questions.map((one) => {
      const { answer = one.answer, source = '', confidence = '' } = of(one.id) ?? {};
      return one.answer === '' ? { ...one, answer, source, confidence } : one;
    }),
    done: open.map(({ id, question }) => {
      const found = of(id);
      return { id, finding: found?.critical ? found.answer || question : null };
    }),
  });
};

/** A restart drops this invocation's answers. Earlier ones were never open. */
const forget = (question: AskedQuestion, done: Continuation['done']): AskedQuestion =>
  done.some(({ id }) => id === question.id)
    ? { ...question, answer: '', source: '', confidence: '' }
    : question;

type List =
  | { readonly kind: 'list'; readonly questions: readonly AskedQuestion[] }
  | { readonly kind: 'halt'; readonly halt: Halt }
  | { readonly kind: 'end'; readonly end: RoleEnd };

const openQuestions = async (port: RolePort, { messages }: Continuation): Promise<List> => {
  const ask = { kind: 'open-questions', prompt: '', messages };
  const turn = await takeTurn(port, ask, null, questionsAnswerSchema);
  return turn.kind === 'answer' ? { kind: 'list', questions: turn.answer.questions } : turn;
};

const criticalIssues = async (port: RolePort, { messages }: Continuation): Promise<List> => {
  const ask = { kind: 'critical-issues', prompt: '', messages };
  const turn = await takeTurn(port, ask, null, issuesAnswerSchema);
  if (turn.kind !== 'answer') return turn;
  const cycle = Math.max(1, port.brief.cycle);
  return {
    kind: 'list',
    questions: turn.answer.issues.map((issue, index) => questionOf(issue, index, cycle)),
  };
};

interface Counts {
  readonly generated: number;
  readonly answered: number;
  readonly critical: readonly string[];
}

const finished = (brief: Brief, questions: readonly AskedQuestion[], counts: Counts): RoleEnd => {
  const artifacts = filesOf(brief, questions);
  return {
    kind: 'outcome',
    outcome: outcomeOf(brief, { status: 'completed', blockers: [] }, questions, counts, artifacts),
    artifacts,
  };
};

const halted = (brief: Brief, halt: Halt, state: Continuation): RoleEnd => ({
  kind: 'outcome',
  outcome: outcomeOf(brief, halt, [], { generated: 0, answered: 0, critical: [] }, []),
  artifacts: [],
  ...(halt.status === 'paused' ? { continuation: state } : {}),
  ...(halt.escalation === undefined ? {} : { escalation: halt.escalation }),
});

/** One complete file for each category. It keeps questions of earlier cycles. */
const filesOf = (brief: Brief, questions: readonly AskedQuestion[]): readonly Artifact[] => {
  const directory = sessionPaths(brief.workspace, brief.session).iteration(brief.iteration).questions;
  return categoriesOf(questions).map((category) => ({
    root: 'session',
    path: join(relative(brief.sessionDirectory, directory), `${category}.md`),
    text: formatQuestions({
      category,
      iteration: brief.iteration,
      cycle: Math.max(1, brief.cycle),
      created_at: brief.at ?? null,
      updated_at: brief.at ?? null,
      questions: questions.filter((one) => one.category === category),
    }),
    write: 'replace',
  }));
};

const categoriesOf = (questions: readonly AskedQuestion[]): readonly QuestionCategory[] => [
  ...new Set(questions.map((one) => one.category)),
];

const outcomeOf = (
  brief: Brief,
  end: { readonly status: 'completed' | 'blocked' | 'paused'; readonly blockers: readonly string[] },
  questions: readonly AskedQuestion[],
  counts: Counts,
  artifacts: readonly Artifact[],
): OutcomeOf<'Questioner'> => ({
  role: 'Questioner',
  status: end.status,
  blockers: end.blockers,
  mode: brief.mode,
  cycle: brief.cycle,
  category: categoriesOf(questions).join(', '),
  questions_generated: counts.generated,
  questions_answered: counts.answered,
  files_updated: artifacts.map(({ path }) => path),
  critical_findings: counts.critical,
});
