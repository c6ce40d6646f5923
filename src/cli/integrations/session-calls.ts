import { setTimeout as sleep } from 'node:timers/promises';
import { toFault } from '../../base/fault.ts';
import { readText } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import type { Answer, OutsideCalls } from '../../mcp/outside/outside-calls.ts';
import { longestWait } from '../../mcp/patience.ts';
import type { ToolAnswer } from '../../mcp/tool.ts';
import { taskBriefs } from '../../pipeline/brief.ts';
import { openQuestion, openQuestions } from '../../pipeline/questions/open-questions.ts';
import { checkAnswer } from '../../signals/check-answer.ts';
import { asRead } from '../../signals/fields.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import type { Agent, Signal } from '../../signals/signal.ts';
import { type Cli, usage } from '../cli.ts';
import { statusOf } from '../report/status-report.ts';
import { rowsOfSession } from '../report/task-rows.ts';
import { feedbackWaits } from '../session/feedback/feedback-waits.ts';
import { type OpenSession, requireTask } from '../session/open-session.ts';
import { laterWords, lookIntoMailbox, sender, sendSignal } from '../session/publish.ts';
import { openLive } from './open-live.ts';
import { createOutsideMail, refuseComplete } from './take-mail.ts';

/** The calls of one agent of another program over the files of a session, read again at each call. */
export const createSessionCalls = (
  cli: Cli,
  { session: id, role }: { readonly session: string | undefined; readonly role: Agent | null },
): OutsideCalls => {
  const open = (): OpenSession => openLive(cli, id);
  const mail = createOutsideMail(cli.env, role);
  let task: string | null = null;

  const send = (session: OpenSession, signal: Signal): ToolAnswer => {
    refuseComplete(session);
    const { id: sent, file } = sendSignal(session, { from: `mcp of ${sender()}`, ...signal });
    mail.sent(sent);
    const later = laterWords(session, signal).replace(/^; /, '');
    return { body: { sent: true, id: sent, file, ...(later === '' ? {} : { read: later }) } };
  };

  return {
    role,
    get brief() {
      return task === null ? {} : { task: { id: task } };
    },
    tasks: () => taskBriefs(open().state),
    report: (wanted) => readReport(open(), wanted),
    boundary: () => mail.boundary(open(), task),
    released: () => untilReleased(open),
    reached: mail.reached,
    missed: mail.missed,
    status: () => orError(() => ({ body: statusBody(open()) })),
    questions: () => orError(() => ({ body: { questions: questionsOf(open()) } })),
    workOn: (wanted) =>
      orError(() => {
        const session = open();
        refuseComplete(session);
        refuseTask(session, wanted);
        task = wanted;
        return { body: { task: wanted, next: 'task_get describes the task.' } };
      }),
    answer: ({ request, option, message }) =>
      orError(() => {
        const session = open();
        refuseAnswer(session, { request, option, message });
        return send(session, {
          type: 'ANSWER',
          target: 'ALL',
          request,
          ...(option === undefined ? {} : { option }),
          ...(message === undefined ? {} : { message }),
        });
      }),
    send: ({ type, target, message, task: about }) =>
      orError(() => {
        const session = open();
        if (about !== undefined && session.state.tasks.size > 0) requireTask(session, about);
        if (type === 'RESUME' && session.state.limit !== null)
          throw usage(`a limit holds the session (${safe(session.state.limit)})`, 'a person must raise it');
        const signal: Signal = {
          type,
          target,
          ...(message === undefined ? {} : { message }),
          ...(about === undefined ? {} : { task: about }),
        };
        refuseDecision(signal);
        return send(session, signal);
      }),
  };
};

/** Words may make another signal of one, and that one would decide at a gate. */
const refuseDecision = (signal: Signal): void => {
  const read = asRead(signal).type;
  if (read !== signal.type)
    throw usage(
      `this ${signal.type} would be read as ${read}, which decides at a gate`,
      'only a person may do that; reword the message',
    );
};

/** Answers with the error that a command of ours would print. */
const orError = (run: () => ToolAnswer): ToolAnswer => {
  try {
    return run();
  } catch (error) {
    return { failed: true, body: { error: safe(toFault(error).what) } };
  }
};

const statusBody = (session: OpenSession): Readonly<Record<string, unknown>> => {
  const { world, paths, state } = session;
  const pending = lookIntoMailbox(world, paths)
    .list()
    .filter(({ stage }) => stage === 'pending');
  const report = statusOf(session, {
    signals: pending.length,
    feedback: feedbackWaits(world, paths, state),
  });
  const ready = rowsOfSession(state).flatMap((row) => (row.ready ? [row.id] : []));
  return { ...report, ready };
};

const questionsOf = ({ state }: OpenSession) =>
  openQuestions(state).map((question) => ({
    ...question,
    answered_by: questionKinds[question.kind].onlyPerson ? 'a person only' : 'a person or a program',
  }));

const refuseAnswer = ({ state }: OpenSession, { request, option, message }: Answer): void => {
  const settled = state.questions.get(request);
  if (settled && settled.answer !== null)
    throw usage(`"${safe(request)}" was already answered by ${safe(settled.answeredBy ?? 'someone')}`);
  const question = openQuestion(state, request);
  // Permissions are no questions of this list, and no program may answer them either.
  if (question === null || questionKinds[question.kind].onlyPerson) {
    const open = openQuestions(state).filter(({ kind }) => !questionKinds[kind].onlyPerson);
    throw usage(
      `"${safe(request)}" is not an open question that a program may answer`,
      open.length > 0
        ? `open: ${open.map((each) => safe(each.request)).join(', ')}`
        : 'only a person may decide on plans, permissions, reviews and merges',
    );
  }
  const checked = checkAnswer(question, {
    ...(option === undefined ? {} : { option }),
    ...(message === undefined ? {} : { message }),
  });
  if (typeof checked === 'string') throw usage(checked);
};

/** Only work that nobody else has in hand. */
const refuseTask = (session: OpenSession, task: string): void => {
  requireTask(session, task);
  const { state, host } = session;
  const status = state.tasks.get(task)?.status;
  if (status === 'done' || status === 'cancelled')
    throw usage(`${safe(task)} is ${status}`, 'task_list lists the open tasks');
  const owner = [...state.invocations.values()].find((each) => each.task === task);
  if (owner && host?.alive === true)
    throw usage(
      `${safe(owner.id)} in this session is already working on ${safe(task)}`,
      'choose another task',
    );
};

/** The last report of a task, or `null`. */
const readReport = ({ world, paths, state }: OpenSession, task: string): string | null => {
  const known = state.tasks.get(task);
  if (!known || known.attempt === 0) return null;
  const file = paths.iteration(known.iteration ?? state.iteration).report(task, known.attempt);
  return readText(world.disk, file)?.slice(-longestReport) ?? null;
};

const longestReport = 20_000;

/** Looks each second, no longer than the longest wait of a call: nobody tells this process that a hold has ended. */
const untilReleased = async (open: () => OpenSession): Promise<void> => {
  for (let waited = 0; waited < longestWait; waited += pollMs) {
    await sleep(pollMs);
    if (open().state.hold === null) return;
  }
};

const pollMs = 1_000;
