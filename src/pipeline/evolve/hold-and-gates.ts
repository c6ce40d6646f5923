import type { Message } from '../../agents/port.ts';
import { choiceOf } from '../../signals/check-answer.ts';
import { quotaTried } from '../agents/quota.ts';
import type { EventOf } from '../event.ts';
import type { HandlersOf, Patch } from '../handler.ts';
import { change, drop, type Owned, put } from '../maps.ts';
import { awayTimerName, pollTimerName } from '../modes/flow/flow-state.ts';
import { modeOf } from '../modes/index.ts';
import { roleOfSlot, taskOfSlot } from '../slot.ts';
import type { SessionState } from '../state.ts';
import { holdTold, unqueued } from './held-signals.ts';

/** Holds, aborts, drains, gates, questions and timers: everything that makes a session wait. */
export const holdAndGates: HandlersOf<
  | 'hold.requested'
  | 'hold.begun'
  | 'hold.ended'
  | 'abort.requested'
  | 'drain.requested'
  | 'gate.opened'
  | 'gate.decided'
  | 'question.asked'
  | 'question.answered'
  | 'timer.fired'
> = {
  'hold.requested': (state, event) =>
    // A complete session cannot be held. A second PAUSE keeps the first hold.
    state.state === modeOf(state).last || state.hold
      ? null
      : {
          hold: {
            stage: 'pausing',
            since: event.at,
            by: event.by,
            signal: event.signal,
            message: event.message ?? null,
            processes: 0,
          },
        },

  'hold.begun': (state, event, own) =>
    state.hold && {
      hold: { ...state.hold, stage: 'paused', processes: event.processes },
      status: 'paused',
      signals: holdTold(state, own, 'paused'),
    },

  'hold.ended': (state, event, own) =>
    state.hold && {
      hold: null,
      status: 'in_progress',
      invocations: wokenUp(state),
      resumeMessages: [
        ...state.resumeMessages,
        ...said(state, 'PAUSE', `hold:${state.hold.since}`, state.hold),
        ...said(state, 'RESUME', `resume:${event.seq}`, event),
      ],
      signals: unqueued(state, own, event.by),
    },

  'abort.requested': (state, event) =>
    state.abort
      ? null
      : {
          abort: { by: event.by, signal: event.signal, since: event.at, stopped: false },
          // Nothing that was asked for before an end happens after it.
          changes: { ...state.changes, asked: null },
        },

  // The first request counts. A session that has ended cannot be stopped again.
  'drain.requested': (state, event) =>
    state.drain || state.state === modeOf(state).last
      ? null
      : { drain: { by: event.by, signal: event.signal, since: event.at } },

  'gate.opened': (_state, event) => ({
    gate: {
      gate: event.gate,
      iteration: event.iteration,
      opened: event.at,
      deadlineMs: event.deadline_ms,
      files: event.files,
      expired: event.deadline_ms !== null && event.deadline_ms <= Date.parse(event.at),
    },
  }),

  'gate.decided': (state, event, own) => {
    // The first decision counts.
    if (state.gate?.gate !== event.gate) return null;
    return event.gate === 'plan' ? planDecided(state, event, own) : knowledgeDecided(state, event);
  },

  'question.asked': (state, event, own) => ({
    questions: put(own, state.questions, event.request, {
      request: event.request,
      kind: event.kind,
      text: event.text,
      options: event.options,
      asked: event.at,
      invocation: event.invocation,
      task: event.task ?? null,
      attempt: event.attempt ?? null,
      slot: event.slot ?? null,
      document: event.document ?? null,
      critique: event.critique ?? null,
      answer: null,
      option: null,
      answeredBy: null,
    }),
  }),

  'question.answered': (state, event, own) => {
    const question = state.questions.get(event.request);
    const chosen = question && choiceOf(question.options, event.option ?? event.answer);
    return {
      questions: change(own, state.questions, event.request, (question) =>
        question.answer === null
          ? { ...question, answer: event.answer, option: chosen?.id ?? null, answeredBy: event.by }
          : question,
      ),
      ...(question?.slot == null
        ? {}
        : {
            noResults: drop(own, state.noResults, question.slot),
            ...otherAgent(state, question.slot, chosen?.agent, own),
          }),
    };
  },

  'timer.fired': (state, event, own) => {
    const [kind, rest] = splitTimer(event.timer);
    if (kind === 'retry')
      return { retries: change(own, state.retries, rest, (retry) => ({ ...retry, fired: true })) };
    if (kind === 'quota') return quotaTried(state, Date.parse(event.at));
    if (kind === 'gate') return state.gate?.gate === rest ? { gate: { ...state.gate, expired: true } } : null;
    if (event.timer === 'limit:max_duration') return { timeUp: true };
    if (event.timer === pollTimerName) return state.flow && { flow: { ...state.flow, due: true } };
    if (event.timer === awayTimerName)
      return state.flow?.away ? { flow: { ...state.flow, away: { ...state.flow.away, due: true } } } : null;
    if (event.timer === 'loop:max_runtime') return state.loop && { loop: { ...state.loop, timeUp: true } };
    return null;
  },
};

/** `retry:IMPLEMENT:task-1` → `retry` and `IMPLEMENT:task-1`. */
export const splitTimer = (timer: string): readonly [kind: string, rest: string] => {
  const colon = timer.indexOf(':');
  return colon < 0 ? [timer, ''] : [timer.slice(0, colon), timer.slice(colon + 1)];
};

/** The chosen agent serves the slot from now on. */
const otherAgent = (state: SessionState, slot: string, name: string | undefined, own: Owned): Patch => {
  if (name === undefined) return null;
  const task = taskOfSlot(slot);
  const role = roleOfSlot(slot);
  if (task !== null && role === 'Executor')
    return {
      tasks: change(own, state.tasks, task, (old) => ({
        ...old,
        definition: { ...old.definition, agent: name },
      })),
    };
  const roles = { ...state.settings.roles, [role.toLowerCase()]: name };
  return { settings: { ...state.settings, roles } };
};

/** Those whose permission was answered meanwhile continue. */
const wokenUp = ({ invocations }: SessionState): SessionState['invocations'] =>
  new Map([...invocations].map(([id, invocation]) => [id, { ...invocation, heldInPermission: false }]));

/** The words of a signal that began or ended the hold. A file that nobody is known to have written says data. */
const said = (
  { signals }: SessionState,
  kind: 'PAUSE' | 'RESUME',
  otherwise: string,
  from: { readonly message?: string | null | undefined; readonly by: string; readonly signal: string | null },
): readonly Message[] => {
  if (!from.message) return [];
  const message = { id: from.signal ?? otherwise, kind, text: from.message };
  return signals.get(from.signal ?? '')?.signal.unproven === undefined
    ? [{ ...message, from: from.by }]
    : [{ ...message, kind: 'INFO', unproven: true }];
};

const planDecided = (state: SessionState, event: EventOf<'gate.decided'>, own: Owned): Patch => {
  if (event.decision === 'approve') return { gate: null, planApproved: true };
  // Nothing runs at this gate, so an abort has nothing to wait for.
  if (event.decision === 'abort' && !state.abort)
    return { gate: null, abort: { by: event.by, signal: event.signal, since: event.at, stopped: true } };
  if (event.decision !== 'skip') return { gate: null };
  // The plan was sent back. The breakdown runs again with the person's words, which are about the plan and no order to anybody else.
  const text = event.message ?? 'The plan was not approved.';
  const message: Message = { id: event.signal ?? `gate:${event.seq}`, kind: 'RETRY', text, from: event.by };
  return {
    gate: null,
    planWords: [...state.planWords, message],
    planItems: put(own, state.planItems, 'plan-breakdown', { mark: 'open', note: text }),
  };
};

const knowledgeDecided = (state: SessionState, event: EventOf<'gate.decided'>): Patch => ({
  gate: null,
  decision: {
    decision: event.decision,
    by: event.by,
    message: event.message ?? null,
    files: event.files ?? null,
  },
  ...(event.decision === 'carry'
    ? {
        knowledge: {
          ...state.knowledge,
          carried: [...new Set([...state.knowledge.carried, ...state.knowledge.staged])],
        },
      }
    : {}),
});
