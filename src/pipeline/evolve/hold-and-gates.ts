import type { Message } from '../../agents/port.ts';
import type { EventOf } from '../event.ts';
import { roleOfSlot, slotOfRequest, taskOfSlot } from '../slot.ts';
import type { SessionState } from '../state.ts';
import type { HandlersOf, Patch } from './handler.ts';
import { change, drop, type Owned, put } from './maps.ts';

/** Holds, aborts, gates, questions and timers: what makes a session wait. */
export const holdAndGates: HandlersOf<
  | 'hold.requested'
  | 'hold.begun'
  | 'hold.ended'
  | 'abort.requested'
  | 'gate.opened'
  | 'gate.decided'
  | 'question.asked'
  | 'question.answered'
  | 'timer.fired'
> = {
  'hold.requested': (state, event) =>
    // What is complete cannot be held; a second PAUSE finds the first one.
    state.state === 'COMPLETE' || state.hold
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
          resumeMessages: [],
        },

  'hold.begun': (state, event) =>
    state.hold && {
      hold: { ...state.hold, stage: 'paused', processes: event.processes },
      status: 'paused',
    },

  'hold.ended': (state, event, own) =>
    state.hold && {
      hold: null,
      status: 'in_progress',
      resumeMessages: [
        ...said('PAUSE', state.hold.signal ?? `hold:${state.hold.since}`, state.hold),
        ...said('RESUME', event.signal ?? `resume:${event.seq}`, event),
      ],
      signals: unqueued(state, own),
    },

  'abort.requested': (state, event) =>
    state.abort ? null : { abort: { by: event.by, signal: event.signal, since: event.at, stopped: false } },

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
      text: event.text,
      options: event.options,
      asked: event.at,
      invocation: event.invocation,
      answer: null,
      answeredBy: null,
    }),
  }),

  'question.answered': (state, event, own) => {
    const slot = slotOfRequest(event.request);
    return {
      questions: change(own, state.questions, event.request, (question) =>
        question.answer === null ? { ...question, answer: event.answer, answeredBy: event.by } : question,
      ),
      ...(slot === null
        ? {}
        : { noResults: drop(own, state.noResults, slot), ...otherAgent(state, slot, event.answer, own) }),
    };
  },

  'timer.fired': (state, event, own) => {
    const [kind, rest] = splitTimer(event.timer);
    if (kind === 'retry')
      return { retries: change(own, state.retries, rest, (retry) => ({ ...retry, fired: true })) };
    if (kind === 'quota') return { quotaUntil: null };
    if (kind === 'gate') return state.gate?.gate === rest ? { gate: { ...state.gate, expired: true } } : null;
    if (event.timer === 'limit:max_duration') return { timeUp: true };
    return null;
  },
};

/** `retry:IMPLEMENT:task-1` → `retry` and `IMPLEMENT:task-1`. */
export const splitTimer = (timer: string): readonly [kind: string, rest: string] => {
  const colon = timer.indexOf(':');
  return colon < 0 ? [timer, ''] : [timer.slice(0, colon), timer.slice(colon + 1)];
};

/** "other agent: codex", or just its name: from now on that one serves the slot. */
const otherAgent = (state: SessionState, slot: string, answer: string, own: Owned): Patch => {
  const name = answer.trim().replace(/^other agent\s*:?\s*/i, '');
  if (name === '' || ['retry', 'stop'].includes(name.toLowerCase())) return null;
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

const said = (
  kind: 'PAUSE' | 'RESUME',
  id: string,
  from: { readonly message?: string | null | undefined; readonly by: string },
): readonly Message[] => (from.message ? [{ id, kind, text: from.message, from: from.by }] : []);

const unqueued = (state: SessionState, own: Owned): SessionState['signals'] => {
  let signals = state.signals;
  for (const [id, life] of state.signals)
    if (life.queued) signals = put(own, signals, id, { ...life, queued: false });
  return signals;
};

const planDecided = (state: SessionState, event: EventOf<'gate.decided'>, own: Owned): Patch => {
  if (event.decision === 'approve') return { gate: null, planApproved: true };
  // Nothing runs at this gate: an abort there has nothing to wait for.
  if (event.decision === 'abort' && !state.abort)
    return { gate: null, abort: { by: event.by, signal: event.signal, since: event.at, stopped: true } };
  if (event.decision !== 'skip') return { gate: null };
  // The plan was sent back: it is broken down once more, with what the person said.
  const text = event.message ?? 'The plan was not approved.';
  const message: Message = { id: event.signal ?? `gate:${event.seq}`, kind: 'STEER', text, from: event.by };
  return {
    gate: null,
    guidance: [...state.guidance, message],
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
