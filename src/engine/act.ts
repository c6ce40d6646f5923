import type { EventBody } from '../pipeline/event.ts';
import { slotOfRequest } from '../pipeline/slot.ts';
import type { Invocation, SessionState } from '../pipeline/state.ts';
import { graphOf, standingOf } from '../pipeline/waves.ts';
import type { Letter, SignalType } from '../signals/signal.ts';
import { stuckBehind, stuckWords } from '../tasks/stuck-behind.ts';
import { replaceOption, replacePlan } from './edited-plan.ts';

/**
 * What a session-level signal does (signals.md, Types): the facts it causes, or why it cannot be used. Messages (INFO, STEER) are delivered by
 * `deliver.ts` instead. Pure: the caller commits.
 */
export const actOn = (letter: Letter, state: SessionState): Acted => acts[letter.signal.type](letter, state);

export type Acted =
  /** `action` is what the archive says, seen from the state after the facts were committed. */
  | {
      readonly kind: 'done';
      readonly facts: readonly EventBody[];
      readonly action: (after: SessionState) => string;
    }
  /** ABORT is archived when its processes are verified gone: the archive tells what came of it. */
  | { readonly kind: 'until-stopped'; readonly facts: readonly EventBody[] }
  | { readonly kind: 'refused'; readonly reason: string };

type Act = (letter: Letter, state: SessionState) => Acted;

/** Who asked, as far as the file says. */
export const authorOf = (letter: Letter): string => letter.signal.from ?? 'a signal file';

const done = (facts: readonly EventBody[], action: string | ((after: SessionState) => string)): Acted => ({
  kind: 'done',
  facts,
  action: typeof action === 'string' ? () => action : action,
});
const refused = (reason: string): Acted => ({ kind: 'refused', reason });

const messageOf = (letter: Letter): { readonly message?: string } =>
  letter.signal.message === undefined ? {} : { message: letter.signal.message };

const cause = (letter: Letter) => ({ signal: letter.id, by: authorOf(letter), ...messageOf(letter) });

const pause: Act = (letter, state) => {
  if (state.hold) return done([], 'held already');
  return state.state === 'COMPLETE'
    ? done([], 'nothing to hold: the session is complete')
    : done([{ type: 'hold.requested', ...cause(letter) }], (after) => {
        const running = [...after.invocations.values()].filter(({ stage }) => stage === 'running');
        return running.length > 0 ? `pausing: waits for ${running.map(whoWorks).join(', ')}` : 'paused';
      });
};

/** "Executor on task-3": what a person knows it by. */
const whoWorks = ({ role, task }: Invocation): string => (task === null ? role : `${role} on ${task}`);

const resume: Act = (letter, state) =>
  state.hold ? done([{ type: 'hold.ended', ...cause(letter) }], 'resumed') : done([], 'not held');

const abort: Act = (letter, state) =>
  state.abort
    ? done([], 'aborting already')
    : { kind: 'until-stopped', facts: [{ type: 'abort.requested', ...cause(letter) }] };

const approve: Act = (letter, state) => {
  if (state.gate?.gate !== 'knowledge') return done([], 'gate already decided');
  const gateFiles = state.gate.files;
  const names = letter.signal.promote?.map((name) => name.replace(/^(?:\.\/)?(?:knowledge\/)?/, ''));
  const unknown = names?.filter((name) => !gateFiles.includes(name)) ?? [];
  if (unknown.length > 0)
    return refused(
      `APPROVE names ${unknown.join(', ')}, which is not staged; staged are ${gateFiles.join(', ') || 'no files'}; the gate stays open`,
    );
  const files = names ? { files: names } : {};
  return done(
    [{ type: 'gate.decided', gate: 'knowledge', decision: 'approve', ...cause(letter), ...files }],
    `approved: ${(names ?? gateFiles).join(', ')}`,
  );
};

const skip: Act = (letter, state) =>
  state.gate?.gate === 'knowledge'
    ? done(
        [{ type: 'gate.decided', gate: 'knowledge', decision: 'skip', ...cause(letter) }],
        'skipped: completes without promoting, the staged files stay',
      )
    : done([], 'gate already decided');

const retry: Act = (letter, state) => {
  const found = taskOf(letter, state);
  if (typeof found === 'string') return refused(found);
  const { task, running } = found;
  const before = state.tasks.get(task)?.status === 'open' ? whyUnreachable(state, task) : null;
  const { message } = letter.signal;
  // Another look at a session in which nothing can start would cost a review and change nothing; a message is kept all the same.
  if (before !== null && message === undefined)
    return done([], `nothing was opened: ${task} is unreachable ${before}`);
  return done(
    [
      {
        type: 'task.reset',
        task,
        reason: `RETRY by ${authorOf(letter)}`,
        signal: letter.id,
        ...messageOf(letter),
      },
    ],
    (after) => {
      const why = whyUnreachable(after, task);
      if (why !== null && before !== null)
        return `${task} is told that at its next attempt; it is unreachable ${why}`;
      if (why !== null) return `${task} is open again, but unreachable ${why}`;
      return `${task} is open again${running ? '; its running attempt was stopped' : ''}`;
    },
  );
};

/** "because broken failed; retry broken", or `null` of a task that can start, now or later. */
const whyUnreachable = (state: SessionState, task: string): string | null => {
  const graph = graphOf(state);
  const standing = standingOf(state, graph);
  const reason = standing.unreachable.get(task);
  if (reason === undefined) return null;
  const behind = stuckBehind(graph, standing, state.tasks, [task]);
  return behind.length === 0
    ? `(${reason})`
    : `because ${stuckWords(state.tasks, behind)}; retry ${behind.join(', ')}`;
};

const cancel: Act = (letter, state) => {
  const found = taskOf(letter, state);
  if (typeof found === 'string') return refused(found);
  if (state.tasks.get(found.task)?.status === 'cancelled')
    return done([], `${found.task} was cancelled already`);
  const reason = letter.signal.message ?? `CANCEL by ${authorOf(letter)}`;
  return done(
    [{ type: 'task.cancelled', task: found.task, reason, signal: letter.id }],
    `${found.task} cancelled${found.running ? '; its running attempt was stopped' : ''}`,
  );
};

const taskOf = (letter: Letter, state: SessionState): { task: string; running: boolean } | string => {
  const { task, type } = letter.signal;
  if (task === undefined) return `${type} needs the task it is about`;
  const known = state.tasks.get(task);
  return known
    ? { task, running: known.status === 'running' }
    : `${type} names ${task}, which is no task of this session`;
};

const answer: Act = (letter, state) => {
  const { request, option, message } = letter.signal;
  if (request === undefined) return refused('ANSWER needs the `request` it answers');
  const text = option ?? message ?? '';
  if (state.gate?.gate === 'plan' && planRequests.has(request))
    return option === replaceOption ? answerByPlan(letter, state) : answerPlan(letter, text);
  const question = state.questions.get(request);
  if (!question) return refused(`no question "${request}" was asked in this session`);
  if (question.answer !== null) return done([], `answered by ${question.answeredBy ?? 'somebody else'}`);
  if (
    slotOfRequest(request) !== null &&
    !question.options.some((known) => text.toLowerCase().startsWith(known))
  )
    return refused(`"${request}" takes ${question.options.join(', ')}`);
  return done(
    [
      {
        type: 'question.answered',
        request,
        answer: text,
        by: authorOf(letter),
        signal: letter.id,
      },
    ],
    `answered: ${text}`,
  );
};

/** Names under which the gate of the plan may be answered. */
const planRequests: ReadonlySet<string> = new Set(['plan', 'gate:plan']);

const answerByPlan = (letter: Letter, state: SessionState): Acted => {
  const facts = replacePlan(letter, state, authorOf(letter));
  return typeof facts === 'string' ? refused(facts) : done(facts, 'plan: approved as edited');
};

/** `approve` and `abort` are taken by their words; anything else sends the plan back with what was said. */
const answerPlan = (letter: Letter, text: string): Acted => {
  const word = text.trim().toLowerCase();
  const decision = word === 'approve' || word === 'abort' ? word : 'skip';
  if (decision === 'skip' && word === '')
    return refused('the gate of the plan takes approve, abort, or what to change');
  const message = decision === 'skip' && word !== 'skip' ? { message: text } : messageOf(letter);
  return done(
    [{ type: 'gate.decided', gate: 'plan', decision, by: authorOf(letter), signal: letter.id, ...message }],
    decision === 'skip' ? 'the plan goes back to the Planner' : `plan: ${decision}`,
  );
};

const set: Act = (letter) => {
  const changes = letter.signal.set ?? {};
  return done(
    [{ type: 'settings.changed', set: changes, signal: letter.id }],
    `set ${Object.entries(changes)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
      .join(', ')}`,
  );
};

const message: Act = (letter) => refused(`${letter.signal.type} is a message, not an order to the session`);

const acts: Readonly<Record<SignalType, Act>> = {
  INFO: message,
  STEER: message,
  PAUSE: pause,
  RESUME: resume,
  ABORT: abort,
  APPROVE: approve,
  SKIP: skip,
  RETRY: retry,
  CANCEL: cancel,
  ANSWER: answer,
  SET: set,
};
