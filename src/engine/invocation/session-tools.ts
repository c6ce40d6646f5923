import { join, relative } from 'node:path';
import type { Brief, InvocationId, SessionTools } from '../../agents/port.ts';
import type { AskedPerson, PersonQuestion } from '../../agents/tool-inputs.ts';
import { formatTimestamp } from '../../base/clock.ts';
import { toFault } from '../../base/fault.ts';
import type { Redact } from '../../base/redact.ts';
import { taskBriefs } from '../../pipeline/brief.ts';
import type { Event } from '../../pipeline/event.ts';
import { formatKnowledge } from '../../session/knowledge.ts';
import { plainOptions } from '../../signals/question-kinds.ts';
import { withoutSecrets, writeArtifacts } from '../artifacts.ts';
import type { Core } from '../core.ts';
import { lastReport } from './model-brief.ts';

/** Requests that agents make of the session through our tools, for all invocations of one engine. */
export interface InvocationTools {
  of(brief: Brief): SessionTools;
  /** Sees every event, and passes answers to the calls that wait for them. */
  note(event: Event): void;
  /** True while this invocation's question to a person is unanswered. */
  asks(invocation: InvocationId): boolean;
}

type Waiting = Map<string, PromiseWithResolvers<string | null>>;

export const createInvocationTools = (core: Core, redact: Redact): InvocationTools => {
  const waiting: Waiting = new Map();

  const settle = (request: string, answer: string | null): void => {
    waiting.get(request)?.resolve(answer);
    waiting.delete(request);
  };

  return {
    of: (brief) => sessionTools(core, redact, brief, waiting),
    note: (event) => {
      if (event.type === 'question.answered') settle(event.request, event.answer);
      if (event.type !== 'invocation.ended' && event.type !== 'invocation.settled') return;
      for (const request of [...waiting.keys()])
        if (!core.loop.state().questions.has(request)) settle(request, null);
    },
    asks: (invocation) => openQuestion(core, invocation),
  };
};

const openQuestion = ({ loop }: Core, invocation: InvocationId): boolean =>
  [...loop.state().questions.values()].some(
    (question) => question.invocation === invocation && question.answer === null,
  );

const sessionTools = (core: Core, redact: Redact, brief: Brief, waiting: Waiting): SessionTools => ({
  tasks: () => taskBriefs(core.loop.state()),
  report: (id) => lastReport(core, id)?.text ?? null,
  note: (said) => note(core, brief, said),
  ask: (question) => ask(core, brief, waiting, question),
  stage: (lesson) => stage(core, redact, brief, lesson),
});

const note = (
  { loop }: Core,
  { invocation, task }: Brief,
  { note: text, metadata }: Parameters<SessionTools['note']>[0],
): void => {
  loop.run(() => {
    if (text !== undefined && text.trim() !== '') loop.commit({ type: 'finding.noted', invocation, text });
    if (metadata !== undefined && task && Object.keys(metadata).length > 0)
      loop.commit({ type: 'task.annotated', task: task.id, invocation, metadata });
  });
};

const ask = (
  { loop }: Core,
  { invocation, task, mode }: Brief,
  waiting: Waiting,
  { question: text, options }: PersonQuestion,
): AskedPerson => {
  const asked = [...loop.state().questions.values()].filter(
    (question) => question.kind === 'ask' && question.task === (task?.id ?? null),
  );
  const known = asked.find((question) => question.text === text);
  if (known && known.answer !== null)
    return { request: known.request, answered: Promise.resolve(known.answer) };
  const request = known?.request ?? `ask:${task?.id ?? mode}:${asked.length + 1}`;
  const wait = waiting.get(request) ?? Promise.withResolvers<string | null>();
  waiting.set(request, wait);
  const isOpen = loop.run(
    () =>
      known?.invocation === invocation ||
      loop.commit({
        type: 'question.asked',
        request,
        kind: 'ask',
        text,
        options: plainOptions(options),
        invocation,
        ...(task === undefined ? {} : { task: task.id }),
      }),
  );
  if (!isOpen) wait.resolve(null);
  return { request, answered: wait.promise };
};

const stage = (
  { options, loop }: Core,
  redact: Redact,
  { session, invocation, task }: Brief,
  { category, name, body, sources }: Parameters<SessionTools['stage']>[0],
): ReturnType<SessionTools['stage']> => {
  const { iteration } = loop.state();
  const offered = relative(options.paths.directory, options.paths.iteration(iteration).offered);
  const path = join(offered, category, name);
  const text = formatKnowledge({
    category,
    source_session: session,
    source_iteration: iteration,
    source_artifacts: [...sources, ...(task ? [task.id] : [])],
    staged_at: formatTimestamp(options.clock),
    carried_from_iteration: null,
    original_staged_at: null,
    carry_reason: null,
    promoted_at: null,
    body,
  });
  try {
    writeArtifacts(options, withoutSecrets([{ root: 'session', path, text, write: 'replace' }], redact));
  } catch (error) {
    return { kind: 'refused', wrong: toFault(error, path).what };
  }
  const file = `${category}/${name}`;
  loop.run(() =>
    loop.commit({ type: 'finding.noted', invocation, text: `offered for the knowledge gate: ${file}` }),
  );
  return { kind: 'staged', file };
};
