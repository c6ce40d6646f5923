import { relative } from 'node:path';
import { z } from 'zod';
import { sessionPaths } from '../../session/paths.ts';
import type { TaskDefinition } from '../../tasks/task.ts';
import { type ImplementAnswer, implementAnswerSchema, steerTraceSchema } from '../answers.ts';
import type { OutcomeOf } from '../outcome.ts';
import type { Artifact, Message, Procedure, RoleEnd, RolePort } from '../port.ts';
import { turnKind } from '../replies/flow-shapes.ts';
import { joinMessages, messageSchema } from './messages.ts';
import { onOwnEvidence, unmetIn } from './own-evidence.ts';
import { briefFault, type Halt, type Notes, passCheckpoint, readContinuation, takeTurn } from './passing.ts';
import { promptFor } from './prompts/render-prompt.ts';
import { implementationReport } from './reports.ts';

/**
 * Works on one task (seed 000, section 2): step 0 before it reads the task, step 2 before it marks the task in progress. Then it does the work, with
 * step 3.5 after every command or tool call. Its artifact is part 1 of the report.
 */
export const executor: Procedure = async (port) => {
  const { task } = port.brief;
  if (!task) return briefFault(port, 'a task');
  const earlier = readContinuation(port.brief.continuation, continuationSchema);
  let state: Continuation = earlier
    ? { ...earlier, messages: joinMessages(earlier.messages, port.brief.messages) }
    : {
        step: '0',
        messages: joinMessages(feedbackOn(task), port.brief.messages),
        steers: [],
        adjusted: false,
      };

  if (state.step === '0') {
    const passed = await passCheckpoint(port, 'Executor.0', notesOf(state), { task, changed: [], ran: [] });
    if (passed.kind === 'halt') return halted(port, task, passed.halt, { ...state, ...passed.notes });
    state = { ...state, ...passed.notes, step: '2', adjusted: passed.verdict === 'adjust' };
  }
  if (state.step === '2') {
    const passed = await passCheckpoint(port, 'Executor.2', notesOf(state), { task, changed: [], ran: [] });
    if (passed.kind === 'halt') return halted(port, task, passed.halt, { ...state, ...passed.notes });
    port.emit({ type: 'task.started' });
    state = { ...state, ...passed.notes, step: '3' };
  }
  const kind = turnKind(port.brief.phase);
  const turn = await takeTurn(
    port,
    {
      kind,
      prompt: promptFor(port.brief, kind, { messages: state.messages }),
      messages: state.messages,
      data: { adjusted: state.adjusted, continuation: state.turn },
    },
    'Executor.3.5',
    implementAnswerSchema,
  );
  if (turn.kind === 'end') return turn.end;
  if (turn.kind === 'halt') return halted(port, task, turn.halt, { ...state, turn: turn.continuation });
  return finished(port, task, held(port, task, turn.answer), notesOf(state));
};

/** The answer, with a status that its own criteria bear out. The phases before and after the work hand in what they found. */
const held = ({ brief }: RolePort, task: TaskDefinition, answer: ImplementAnswer): ImplementAnswer => {
  const criteria = onOwnEvidence(task.criteria, answer.criteria);
  const isWork = brief.phase === undefined || brief.phase === 'implement';
  const isDone = answer.status === 'completed' && isWork;
  const unmet = isDone ? unmetIn(criteria) : [];
  return unmet.length === 0
    ? { ...answer, criteria }
    : { ...answer, criteria, status: 'failed', blockers: [...answer.blockers, ...unmet] };
};

/** `step` is the next step. A checkpoint that paused is passed again; finished work is not repeated. */
const continuationSchema = z.object({
  step: z.enum(['0', '2', '3']),
  messages: z.array(messageSchema).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
  adjusted: z.boolean(),
  /** The backend's own state: next command and results so far. */
  turn: z.unknown().optional(),
});
type Continuation = z.infer<typeof continuationSchema>;

/** An iteration's feedback on a reopened task. */
const feedbackOn = (task: TaskDefinition): readonly Message[] =>
  z
    .array(z.string())
    .catch([])
    .parse(task.metadata?.['feedback'] ?? [])
    .map((text, index): Message => ({ id: `feedback:${task.id}:${index}`, kind: 'RETRY', text }));

const notesOf = ({ messages, steers }: Continuation): Notes => ({ messages, steers });

const halted = (port: RolePort, task: TaskDefinition, halt: Halt, state: Continuation): RoleEnd => {
  const answer: ImplementAnswer = {
    status: 'blocked',
    summary: [],
    files_modified: [],
    criteria: [],
    verification: [],
    feedback_addressed: [],
    discovered_tasks: [],
    blockers: halt.blockers,
    steers: [],
  };
  return {
    kind: 'outcome',
    outcome: { ...outcomeOf(port, task, answer), status: halt.status },
    artifacts: halt.why === 'escalate' ? [reportOf(port, task, answer, notesOf(state))] : [],
    ...(halt.status === 'paused' ? { continuation: state } : {}),
    ...(halt.escalation === undefined ? {} : { escalation: halt.escalation }),
  };
};

const finished = (port: RolePort, task: TaskDefinition, answer: ImplementAnswer, notes: Notes): RoleEnd => ({
  kind: 'outcome',
  outcome: outcomeOf(port, task, answer),
  artifacts: [reportOf(port, task, answer, notes), ...draftOf(port, task, answer)],
  ...(answer.escalation === undefined ? {} : { escalation: answer.escalation }),
});

const outcomeOf = (port: RolePort, task: TaskDefinition, answer: ImplementAnswer): OutcomeOf<'Executor'> => {
  const met = answer.criteria.filter((criterion) => criterion.status === 'met').length;
  const unmet = answer.criteria.filter((criterion) => criterion.status === 'not met').length;
  return {
    role: 'Executor',
    status: answer.status,
    blockers: answer.blockers,
    task_id: task.id,
    iteration: port.brief.iteration,
    attempt_number: port.brief.attempt ?? 1,
    report_path: reportPath(port, task),
    success_criteria_met: answer.status === 'completed' && met === task.criteria.length,
    criteria_breakdown: { total: task.criteria.length, met, not_met: unmet },
    files_modified: answer.files_modified,
    feedback_addressed: answer.feedback_addressed,
    discovered_tasks: answer.discovered_tasks,
    ...(answer.hopeless === undefined ? {} : { hopeless: answer.hopeless }),
    ...(answer.failed === undefined ? {} : { failed: answer.failed }),
    ...resultOf(port, task, answer),
  };
};

/** What a phase asks for, with the place of its document. */
const resultOf = (
  port: RolePort,
  task: TaskDefinition,
  { result, document }: ImplementAnswer,
): Pick<OutcomeOf<'Executor'>, 'result'> =>
  result === undefined
    ? {}
    : { result: { ...result, ...(document === undefined ? {} : { draft: draftPath(port, task) }) } };

/** The document of a phase, as its agent handed it in. The engine brings it to the workspace. */
const draftOf = (port: RolePort, task: TaskDefinition, { document }: ImplementAnswer): readonly Artifact[] =>
  document === undefined
    ? []
    : [{ root: 'session', path: draftPath(port, task), text: document, write: 'create' }];

const draftPath = ({ brief }: RolePort, task: TaskDefinition): string =>
  `iterations/${brief.iteration}/documents/${task.id}-r${brief.attempt ?? 1}.md`;

/** Relative to the session directory. */
export const reportPath = (port: Pick<RolePort, 'brief'>, task: TaskDefinition): string => {
  const paths = sessionPaths(port.brief.workspace, port.brief.session);
  const report = paths.iteration(port.brief.iteration).report(task.id, port.brief.attempt ?? 1);
  return relative(paths.directory, report);
};

const reportOf = (port: RolePort, task: TaskDefinition, answer: ImplementAnswer, notes: Notes): Artifact => ({
  root: 'session',
  path: reportPath(port, task),
  text: implementationReport(port.brief, task, answer, notes),
  write: 'create',
});
