import type { InvocationId } from '../../agents/port.ts';
import { chosenBy } from '../../agents/roles/promotion-words.ts';
import type { Way } from '../../pipeline/changes/changes-state.ts';
import { whyNoTurn } from '../../pipeline/changes/undoable.ts';
import { noLongerHolds } from '../../pipeline/no-longer-holds.ts';
import { findOrder } from '../../pipeline/orders.ts';
import { openQuestion, replaceOption } from '../../pipeline/questions/open-questions.ts';
import type { SessionState } from '../../pipeline/state.ts';
import { graphOf, standingOf } from '../../pipeline/waves.ts';
import { withSet } from '../../session/settings/live-settings.ts';
import { raisedLimits } from '../../session/settings/raised-limits.ts';
import { answeredAction, checkAnswer, type FittingAnswer } from '../../signals/check-answer.ts';
import type { PendingSignal, SignalType } from '../../signals/signal.ts';
import { stuckBehind, stuckWords, unreachableReason } from '../../tasks/stuck-behind.ts';
import { abort, drain, pause, resume } from './act-on-run.ts';
import { replacePlan } from './edited-plan.ts';
import { type Act, authorOf, cause, done, messageOf, type Reaction, refused } from './reaction.ts';

/**
 * The reaction to a session-level signal (src/signals/README.md, Types): the facts it causes, or the reason why it
 * cannot be used. Messages (INFO, STEER) take the path in `deliveries.ts`. Pure: the caller commits.
 */
export const actOn = (pendingSignal: PendingSignal, state: SessionState): Reaction => {
  const tooLate = noLongerHolds(pendingSignal.signal, state);
  return tooLate === null ? acts[pendingSignal.signal.type](pendingSignal, state) : done([], tooLate);
};

const approve: Act = (pendingSignal, state) => {
  if (state.gate?.gate !== 'knowledge') return done([], 'gate already decided');
  const gateFiles = state.gate.files;
  const names = pendingSignal.signal.promote?.map((name) => name.replace(/^(?:\.\/)?(?:knowledge\/)?/, ''));
  const unknown = names?.filter((name) => !gateFiles.includes(name)) ?? [];
  if (unknown.length > 0)
    return refused(
      `APPROVE names ${unknown.join(' and ')}, but only these lessons wait: ${gateFiles.join(', ') || 'none'}; the gate stays open`,
    );
  const chosen = chosenBy(pendingSignal.signal.message ?? '', gateFiles, names);
  if ('unclear' in chosen)
    return refused(
      `APPROVE ${chosen.unclear}; name them with \`promote\` (these lessons wait: ${gateFiles.join(', ') || 'none'}); the gate stays open`,
    );
  const isAll = names === undefined && chosen.files.length === gateFiles.length;
  const files = isAll ? {} : { files: [...chosen.files] };
  return done(
    [{ type: 'gate.decided', gate: 'knowledge', decision: 'approve', ...cause(pendingSignal), ...files }],
    `approved: ${chosen.files.join(', ')}`,
  );
};

const skip: Act = (pendingSignal, state) =>
  state.gate?.gate === 'knowledge'
    ? done(
        [{ type: 'gate.decided', gate: 'knowledge', decision: 'skip', ...cause(pendingSignal) }],
        'skipped: the session completes, and no lesson is kept',
      )
    : done([], 'gate already decided');

const retry: Act = (pendingSignal, state) => {
  const found = taskOf(pendingSignal, state);
  if (typeof found === 'string') return refused(found);
  const { task, stops } = found;
  const before = state.tasks.get(task)?.status === 'open' ? whyUnreachable(state, task) : null;
  const { message } = pendingSignal.signal;
  // Another look at a session in which nothing can start would cost a review and change nothing. A message is kept all the same.
  if (before !== null && message === undefined)
    return done([], `nothing was reopened: ${task} is unreachable ${before}`);
  return done(
    [
      {
        type: 'task.reset',
        task,
        reason: `RETRY by ${authorOf(pendingSignal)}`,
        signal: pendingSignal.id,
        ...messageOf(pendingSignal),
      },
    ],
    (after) => {
      const why = whyUnreachable(after, task);
      if (why !== null && before !== null)
        return `${task} will get the message at its next attempt, but it is unreachable ${why}`;
      if (why !== null) return `${task} is open again, but unreachable ${why}`;
      return `${task} is open again`;
    },
    stops,
  );
};

/** "because broken failed; retry broken", or `null` for a task that can start, now or later. */
const whyUnreachable = (state: SessionState, task: string): string | null => {
  const graph = graphOf(state);
  const standing = standingOf(state, graph);
  const reason = standing.unreachable.get(task);
  if (reason === undefined) return null;
  const behind = stuckBehind(graph, standing, state.tasks, [task]);
  return behind.length === 0
    ? `(${unreachableReason(reason)})`
    : `because ${stuckWords(state.tasks, behind)}; retry ${behind.join(', ')}`;
};

const cancel: Act = (pendingSignal, state) => {
  const { task, worker, request } = pendingSignal.signal;
  if (request !== undefined) return takeBack(pendingSignal, request, state);
  if (task === undefined && worker !== undefined) return replace(pendingSignal, worker, state);
  const found = taskOf(pendingSignal, state);
  if (typeof found === 'string') return refused(found);
  const reason = pendingSignal.signal.message ?? `CANCEL by ${authorOf(pendingSignal)}`;
  return done(
    [{ type: 'task.cancelled', task: found.task, reason, signal: pendingSignal.id }],
    `${found.task} cancelled`,
    found.stops,
  );
};

/** A person's order no longer holds. An agent that has it hears that at its next checkpoint. */
const takeBack = (pendingSignal: PendingSignal, request: string, state: SessionState): Reaction => {
  const order = findOrder(state, request);
  return order === null
    ? refused(`no order "${request}" is in force in this session`)
    : done(
        [
          {
            type: 'order.withdrawn',
            order: order.id,
            text: order.text,
            by: authorOf(pendingSignal),
            signal: pendingSignal.id,
          },
        ],
        'the order no longer holds',
      );
};

/** A worker leaves the team. Its task is free, and the roster gets another one when the task still needs it. */
const replace = (pendingSignal: PendingSignal, worker: string, state: SessionState): Reaction => {
  const member = state.flow?.workers.get(worker);
  if (member === undefined)
    return refused(`CANCEL names the worker ${worker}, but this session has no such worker`);
  if (member.left !== null) return done([], `${worker} has already left: ${member.left}`);
  const reason = pendingSignal.signal.message ?? `replaced by ${authorOf(pendingSignal)}`;
  return done([{ type: 'worker.left', worker, reason }], `${worker} left the team`);
};

/** Git says what there is to take back, when its turn comes. */
const turn =
  (way: Way): Act =>
  (pendingSignal, state) => {
    const found = taskOf(pendingSignal, state);
    if (typeof found === 'string') return refused(found);
    const { task } = found;
    const { asked, step } = state.changes;
    const before = asked ?? (step?.kind === 'turn' ? step : null);
    if (before !== null)
      return refused(`the ${before.way} of ${before.task} is not finished yet: send this again once it is`);
    const why = whyNoTurn(state, task);
    if (why !== null) return refused(why);
    const { attempt } = pendingSignal.signal;
    return {
      kind: 'until-turned',
      facts: [
        {
          type: 'undo.asked',
          way,
          task,
          ...(attempt === undefined ? {} : { attempt }),
          signal: pendingSignal.id,
        },
      ],
    };
  };

const taskOf = (
  pendingSignal: PendingSignal,
  state: SessionState,
): { task: string; stops: readonly InvocationId[] } | string => {
  const { task, type } = pendingSignal.signal;
  if (task === undefined) return `${type} needs the task it is about`;
  const known = state.tasks.get(task);
  return known
    ? { task, stops: runningOn(task, state) }
    : `${type} names ${task}, which is not a task in this session`;
};

/** Its invocations that a fact about the task stops. */
const runningOn = (task: string, { invocations }: SessionState): readonly InvocationId[] =>
  [...invocations.values()]
    .filter((each) => each.task === task && each.stage === 'running')
    .map(({ id }) => id);

const answer: Act = (pendingSignal, state) => {
  const { request } = pendingSignal.signal;
  if (request === undefined) return refused('ANSWER needs the `request` it answers');
  const question = openQuestion(state, request);
  if (question === null) {
    const settled = state.questions.get(request);
    return settled === undefined
      ? refused(`no question "${request}" was asked in this session`)
      : done([], `already answered by ${settled.answeredBy ?? 'someone else'}`);
  }
  const checked = checkAnswer(question, pendingSignal.signal);
  if (typeof checked === 'string') return refused(checked);
  if (question.kind === 'plan')
    return checked.option === replaceOption
      ? answerByPlan(pendingSignal, state)
      : answerPlan(pendingSignal, checked);
  const text = checked.words || checked.option || '';
  return done(
    [
      {
        type: 'question.answered',
        request,
        ...(checked.option === null ? {} : { option: checked.option }),
        answer: text,
        by: authorOf(pendingSignal),
        signal: pendingSignal.id,
      },
    ],
    answeredAction,
  );
};

const answerByPlan = (pendingSignal: PendingSignal, state: SessionState): Reaction => {
  const facts = replacePlan(pendingSignal, state, authorOf(pendingSignal));
  return typeof facts === 'string' ? refused(facts) : done(facts, 'the plan is approved as edited');
};

const planOutcomes = {
  approve: 'the plan is approved',
  skip: 'the plan goes back to the Planner',
  abort: 'the session is aborted',
} as const;

const answerPlan = (pendingSignal: PendingSignal, { option, words }: FittingAnswer): Reaction => {
  const decision = option === 'approve' || option === 'abort' ? option : 'skip';
  return done(
    [
      {
        type: 'gate.decided',
        gate: 'plan',
        decision,
        by: authorOf(pendingSignal),
        signal: pendingSignal.id,
        ...(words === '' ? {} : { message: words }),
      },
    ],
    planOutcomes[decision],
  );
};

/** An agent can write a signal file, so a SET never gives it more to spend. */
const set: Act = (pendingSignal, state) => {
  const changes = pendingSignal.signal.set ?? {};
  const raised = raisedLimits(state.settings, withSet(state.settings, changes));
  if (raised.length > 0)
    return refused(
      `SET may lower a limit, but not raise it (${raised.join(', ')}): an agent could have written the signal. Quit, raise it in the configuration, and resume`,
    );
  return done(
    [{ type: 'settings.changed', set: changes, signal: pendingSignal.id }],
    `set ${Object.entries(changes)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
      .join(', ')}`,
  );
};

const message: Act = (pendingSignal) =>
  refused(`${pendingSignal.signal.type} is a message, not an order to the session`);

const acts: Readonly<Record<SignalType, Act>> = {
  INFO: message,
  STEER: message,
  PAUSE: pause,
  RESUME: resume,
  DRAIN: drain,
  ABORT: abort,
  APPROVE: approve,
  SKIP: skip,
  RETRY: retry,
  CANCEL: cancel,
  UNDO: turn('undo'),
  REDO: turn('redo'),
  ANSWER: answer,
  SET: set,
};
