import { assertNever } from '../../src/base/assert-never.ts';
import type { Event, EventOf } from '../../src/pipeline/event.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { isComplete, type SessionStatus, type StateName } from '../../src/session/status.ts';
import { questionKinds } from '../../src/signals/question-kinds.ts';
import { followIdle, type Idle } from './idle.ts';
import { keep, type Mutable, type Wait, waitFor } from './waits.ts';

/** The course of a session: who worked when, and what happened meanwhile. Changes in place, like the output logs. */
export interface Timeline {
  /** Every invocation, in the order of their starts. */
  readonly bars: readonly Bar[];
  readonly states: readonly Stretch[];
  readonly marks: readonly Mark[];
  /** Spans in which the session was held or not run, or waited for a person. */
  readonly spans: readonly Wait[];
  readonly idle: readonly Idle[];
  /** Adds an event. `session`: the state after it. */
  readonly take: (event: Event, session: SessionState) => void;
}

/** A state of the session, and its status when it left it or now. */
interface Stretch {
  readonly state: StateName;
  readonly status: SessionStatus;
  readonly from: number;
}

/** An invocation on its lane. Times are milliseconds since the epoch. */
export interface Bar {
  readonly id: string;
  readonly role: string;
  /** The worker of a team; `null`: none. */
  readonly worker: string | null;
  /** Where it ran; `null`: on this machine. */
  readonly runner: string | null;
  readonly task: string | null;
  readonly attempt: number | null;
  /** Place among the invocations of the same role and runner that ran at the same time, counted from 0. */
  readonly lane: number;
  readonly from: number;
  readonly to: number | null;
  readonly end: 'running' | 'good' | 'bad' | 'stopped';
  /** Spans in which it was paused or not run, or waited for a person. */
  readonly waits: readonly Wait[];
}

export interface Mark {
  readonly at: number;
  readonly kind: 'signal' | 'started' | 'stopped';
  readonly text: string;
}

type OpenBar = Mutable<Omit<Bar, 'waits'>> & { waits: Mutable<Wait>[]; isPaused: boolean };

interface Parts {
  readonly bars: OpenBar[];
  /** The bars of invocations at work. */
  readonly open: Map<string, OpenBar>;
  /** The open questions and permissions, each with the invocation that asks; `null` for the session. */
  readonly asks: Map<string, string | null>;
  readonly states: Mutable<Stretch>[];
  readonly marks: Mark[];
  /** The signals that have a mark: one can be pending several times. */
  readonly marked: Set<string>;
  readonly spans: Mutable<Wait>[];
  readonly idle: Mutable<Idle>[];
  /** The last event of the programs so far; `null` before the first. */
  lastAt: number | null;
}

export const createTimeline = (): Timeline => {
  const parts: Parts = {
    bars: [],
    open: new Map(),
    asks: new Map(),
    states: [],
    marks: [],
    marked: new Set(),
    spans: [],
    idle: [],
    lastAt: null,
  };
  const { bars, states, marks, spans, idle } = parts;
  return {
    bars,
    states,
    marks,
    spans,
    idle,
    take: (event, session) => {
      const at = Date.parse(event.at);
      if (event.type === 'session.started') startAgain(parts, at);
      take(parts, event, session, at);
      // A session is created before a program runs it.
      if (event.type !== 'session.created') followState(parts, session, at);
      followWaits(parts, session, at);
      if (event.type !== 'output.written') followIdle(idle, session, at);
      if (parts.lastAt !== null || event.type === 'session.started') parts.lastAt = at;
    },
  };
};

const take = (parts: Parts, event: Event, session: SessionState, at: number): void => {
  const { open, asks, marks, marked } = parts;
  switch (event.type) {
    case 'invocation.started':
      start(parts, event, at);
      break;
    case 'invocation.ended':
      end(parts, event.invocation, at, event.outcome.status === 'failed' ? 'bad' : 'good');
      break;
    case 'invocation.failed':
      end(parts, event.invocation, at, 'bad');
      break;
    case 'invocation.interrupted':
      end(parts, event.invocation, at, 'stopped');
      break;
    case 'invocation.paused':
      pause(parts, event.invocation);
      break;
    case 'invocation.resumed':
      resume(parts, event.invocation, at);
      break;
    case 'permission.asked':
      asks.set(event.request, event.invocation);
      break;
    case 'question.asked':
      if (questionKinds[event.kind].holdsUp) asks.set(event.request, event.invocation);
      break;
    case 'task.failed':
      judge(parts, event.task, event.attempt, 'bad');
      break;
    case 'signal.pending':
      if (!marked.has(event.pending.id)) keep(marks, { at, kind: 'signal', text: event.pending.signal.type });
      marked.add(event.pending.id);
      break;
    case 'session.started':
      // The first start is where the axis begins.
      if (parts.lastAt !== null) keep(marks, { at, kind: 'started', text: event.reason });
      break;
    case 'session.stopped':
      for (const id of [...open.keys()]) end(parts, id, at, 'stopped');
      if (event.status !== 'completed' && !isComplete(session))
        keep(marks, { at, kind: 'stopped', text: event.reason });
      break;
    default:
      break;
  }
};

/** A killed program wrote no end: its work lasted up to its last event. */
const startAgain = (parts: Parts, at: number): void => {
  const { lastAt, open, spans } = parts;
  if (lastAt === null) return;
  for (const id of [...open.keys()]) end(parts, id, lastAt, 'stopped');
  for (const span of spans) span.to ??= lastAt;
  keep(spans, { why: 'stop', from: lastAt, to: at });
};

/** No event enters the first state of a session. */
const followState = ({ states }: Parts, { state, status }: SessionState, at: number): void => {
  const last = states.at(-1);
  if (last?.state === state) last.status = status;
  else keep(states, { state, status, from: at });
};

/** Begins and ends the waits that the event changed. */
const followWaits = ({ asks, open, spans }: Parts, session: SessionState, at: number): void => {
  for (const request of asks.keys()) if (!isOpen(session, request)) asks.delete(request);
  const asking = new Set(asks.values());
  for (const bar of open.values())
    waitFor(bar.waits, asking.has(bar.id) ? 'you' : bar.isPaused ? 'pause' : null, at);
  const { running, abort, gate, hold, questions } = session;
  // What no agent at work asks, the session asks.
  const asksItself =
    gate !== null ||
    [...asks].some(([request, id]) => questions.has(request) && (id === null || !open.has(id)));
  // Until the last agent has paused, the session works.
  const why = hold?.stage === 'paused' ? 'pause' : asksItself && abort === null ? 'you' : null;
  waitFor(spans, running ? why : null, at);
};

const isOpen = ({ permissions, questions }: SessionState, request: string): boolean =>
  permissions.has(request) || questions.get(request)?.answer === null;

const start = ({ bars, open }: Parts, event: EventOf<'invocation.started'>, at: number): void => {
  const where = event.runner ?? null;
  const taken = new Set(
    [...open.values()].flatMap(({ role, runner, lane }) =>
      role === event.role && runner === where ? [lane] : [],
    ),
  );
  let lane = 0;
  while (taken.has(lane)) lane += 1;
  const bar: OpenBar = {
    id: event.invocation,
    role: event.role,
    worker: event.worker ?? null,
    runner: where,
    task: event.task ?? null,
    attempt: event.attempt ?? null,
    lane,
    from: at,
    to: null,
    end: 'running',
    waits: [],
    isPaused: false,
  };
  open.set(bar.id, bar);
  keep(bars, bar);
};

const end = ({ open }: Parts, invocation: string, at: number, how: Bar['end']): void => {
  const bar = open.get(invocation);
  if (bar === undefined) return;
  open.delete(invocation);
  waitFor(bar.waits, null, at);
  bar.to = at;
  bar.end = how;
};

const pause = ({ open }: Parts, invocation: string): void => {
  const bar = open.get(invocation);
  if (bar !== undefined) bar.isPaused = true;
};

/** Work that goes on after a stop of its program goes on in its bar. */
const resume = (parts: Parts, invocation: string, at: number): void => {
  const bar = parts.open.get(invocation) ?? parts.bars.findLast(({ id }) => id === invocation);
  if (bar === undefined) return;
  if (bar.to !== null) bar.waits.push({ why: 'stop', from: bar.to, to: at });
  parts.open.set(invocation, bar);
  bar.to = null;
  bar.end = 'running';
  bar.isPaused = false;
};

/** The verdict on an attempt that ended. */
const judge = ({ bars }: Parts, task: string, attempt: number, how: Bar['end']): void => {
  const bar = bars.findLast(
    (each) => each.role === 'Executor' && each.task === task && each.attempt === attempt,
  );
  if (bar !== undefined && bar.end !== 'running') bar.end = how;
};

/** The letter of a mark on the axis. */
export const letterOf = ({ kind, text }: Mark): string => {
  switch (kind) {
    case 'signal':
      return text.slice(0, 1);
    case 'started':
      return '>';
    case 'stopped':
      return 'x';
    default:
      return assertNever(kind);
  }
};
