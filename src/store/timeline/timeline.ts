import { assertNever } from '../../base/assert-never.ts';
import type { Event, EventOf } from '../../pipeline/event.ts';
import type { StateName } from '../../session/status.ts';

/** The course of a session: who worked when, and what happened meanwhile. Changes in place, like the output logs. */
export interface Timeline {
  /** Every invocation, in the order of their starts. */
  readonly bars: readonly Bar[];
  readonly states: readonly { readonly state: StateName; readonly from: number }[];
  readonly marks: readonly Mark[];
  /** Spans in which the session was held, or waited at a gate. */
  readonly spans: readonly Span[];
  readonly take: (event: Event) => void;
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
  /** Spans in which it was paused, or waited for a person. */
  readonly waits: readonly Wait[];
}

export interface Wait {
  readonly why: 'you' | 'pause';
  readonly from: number;
  readonly to: number | null;
}

export interface Mark {
  readonly at: number;
  readonly kind: 'signal' | 'started' | 'stopped';
  readonly text: string;
}

/** A span of the whole session. */
export interface Span {
  readonly kind: 'hold' | 'gate';
  readonly from: number;
  readonly to: number | null;
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };
type OpenBar = Mutable<Omit<Bar, 'waits'>> & { waits: Mutable<Wait>[] };

/** Older bars and marks are dropped. */
const mostKept = 5_000;

interface Parts {
  readonly bars: OpenBar[];
  /** The bars of invocations at work. */
  readonly open: Map<string, OpenBar>;
  readonly states: { state: StateName; from: number }[];
  readonly marks: Mark[];
  readonly spans: Mutable<Span>[];
}

export const createTimeline = (): Timeline => {
  const parts: Parts = { bars: [], open: new Map(), states: [], marks: [], spans: [] };
  const { bars, states, marks, spans } = parts;
  return { bars, states, marks, spans, take: (event) => take(parts, event) };
};

const take = (parts: Parts, event: Event): void => {
  const { open, states, marks, spans } = parts;
  const at = Date.parse(event.at);
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
      wait(open.get(event.invocation), at, 'pause');
      break;
    case 'permission.asked':
      wait(open.get(event.invocation), at, 'you');
      break;
    case 'invocation.resumed':
    case 'permission.answered':
      goOn(open.get(event.invocation), at);
      break;
    case 'task.failed':
      judge(parts, event.task, event.attempt, 'bad');
      break;
    case 'state.entered':
      add(states, { state: event.state, from: at });
      break;
    case 'signal.pending':
      add(marks, { at, kind: 'signal', text: event.pending.signal.type });
      break;
    case 'hold.requested':
      closeSpan(parts, 'hold', at);
      add(spans, { kind: 'hold', from: at, to: null });
      break;
    case 'hold.ended':
      closeSpan(parts, 'hold', at);
      break;
    case 'gate.opened':
      add(spans, { kind: 'gate', from: at, to: null });
      break;
    case 'gate.decided':
      closeSpan(parts, 'gate', at);
      break;
    case 'session.started':
      add(marks, { at, kind: 'started', text: event.reason });
      break;
    case 'session.stopped':
      for (const id of [...open.keys()]) end(parts, id, at, 'stopped');
      add(marks, { at, kind: 'stopped', text: event.reason });
      break;
    default:
      break;
  }
};

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
  };
  open.set(bar.id, bar);
  add(bars, bar);
};

const end = ({ open }: Parts, invocation: string, at: number, how: Bar['end']): void => {
  const bar = open.get(invocation);
  if (bar === undefined) return;
  open.delete(invocation);
  goOn(bar, at);
  bar.to = at;
  bar.end = how;
};

const wait = (bar: OpenBar | undefined, at: number, why: Wait['why']): void => {
  if (bar !== undefined && bar.waits.at(-1)?.to !== null) bar.waits.push({ why, from: at, to: null });
};

const goOn = (bar: OpenBar | undefined, at: number): void => {
  const last = bar?.waits.at(-1);
  if (last !== undefined && last.to === null) last.to = at;
};

/** The verdict on an attempt that ended. */
const judge = ({ bars }: Parts, task: string, attempt: number, how: Bar['end']): void => {
  const bar = bars.findLast(
    (each) => each.role === 'Executor' && each.task === task && each.attempt === attempt,
  );
  if (bar !== undefined && bar.end !== 'running') bar.end = how;
};

const closeSpan = ({ spans }: Parts, kind: Span['kind'], at: number): void => {
  const span = spans.findLast((each) => each.kind === kind && each.to === null);
  if (span !== undefined) span.to = at;
};

const add = <T>(list: T[], item: T): void => {
  list.push(item);
  // Trims in large steps, so that dropping the oldest is nearly always free.
  if (list.length >= mostKept * 1.2) list.splice(0, list.length - mostKept);
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
