import { safe } from '../../src/base/safe.ts';
import { asSentence, list } from '../../src/base/sentence.ts';
import { runtimeSentence } from '../../src/pipeline/modes/loop/stop-conditions.ts';
import { holdingUp } from '../../src/pipeline/questions/open-questions.ts';
import type { Invocation, SessionState } from '../../src/pipeline/state.ts';
import { waitingTimers } from '../../src/pipeline/waiting-timers.ts';
import { isComplete } from '../../src/session/status.ts';
import {
  count,
  formatAgo,
  formatSince,
  formatTimeOfDay,
  type LocalTime,
} from '../../src/words/local-time.ts';
import { briefly, doing, withoutKeys } from '../../src/words/work-words.ts';
import { selectSignals } from '../mailbox/select-signals.ts';
import { outputKey } from '../tasks/output-key.ts';
import { spinnerMs } from '../tasks/select-streaming.ts';
import { selectStanding } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { between } from './between-line.ts';
import { endedLine } from './ended-line.ts';
import { failedFirst, failedLast } from './failures-in-line.ts';
import type { NowLine } from './now-line.ts';
import { active, quota, retrying, waitsForYou } from './waiting-lines.ts';

/** The now line. Covers every situation, in order of precedence. */
export const selectNow = (view: ViewState, now: LocalTime): NowLine => {
  const line = nowOf(view, now);
  if (view.connection !== 'replay') return line;
  return {
    tone: line.tone,
    text: withoutKeys(line.text),
    ...(line.short && { short: withoutKeys(line.short) }),
    ...(line.last && { last: withoutKeys(line.last) }),
  };
};

const nowOf = (view: ViewState, now: LocalTime): NowLine => {
  const { session } = view;
  if (view.opening)
    return { tone: 'wait', text: session === null ? 'Starting the session' : 'Resuming the session' };
  if (session === null && view.connection === 'stopped')
    return { tone: 'you', text: 'No session here yet: choose what to start' };
  if (session === null) return { tone: 'wait', text: 'Opening: waiting for the first event of the session' };
  return (
    aborting(session) ??
    endedLine(view, session) ??
    failedFirst(session, notRunning(view, session, now)) ??
    withYours(draining(session, now) ?? held(view, session, now), waitsForYou(view, session, now)) ??
    failedFirst(session, waitsForYou(view, session, now)) ??
    unreachable(session, now) ??
    failedLast(session, working(view, session, now)) ??
    quota(session, now) ??
    retrying(session, now) ??
    between(session)
  );
};

const aborting = (session: SessionState): NowLine | null => {
  if (session.abort === null || !session.running) return null;
  const left = active(session).length;
  return session.abort.stopped
    ? { tone: 'bad', text: `Aborted by ${safe(session.abort.by)}: agents stopped, writing the results` }
    : {
        tone: 'bad',
        text: `Aborting, requested by ${safe(session.abort.by)}: ${left === 0 ? 'verifying that no agent is left' : `stopping ${count(left, 'agent')} and verifying that ${left === 1 ? 'it is' : 'they are'} gone`}`,
        short: `Aborting, requested by ${safe(session.abort.by)}: stopping ${count(left, 'agent')}`,
      };
};

/** A stopped session: why, when, and the keys that resume it. Nothing that costs anything starts by itself. */
const notRunning = (view: ViewState, session: SessionState, now: LocalTime): NowLine | null => {
  if (session.running && view.connection !== 'stopped') return null;
  const reason = stopReason(session);
  const stopped = `Stopped ${formatAgo(session.at, now)}: ${reason}`;
  return {
    tone: 'wait',
    text: view.ui.resumable
      ? `${asSentence(stopped)} {session.resume} resume · {session.new} new`
      : `${asSentence(stopped)} This session is read-only here`,
    short: view.ui.resumable
      ? `${asSentence(`Stopped: ${reason}`)} {session.resume} resume · {session.new} new`
      : stopped,
  };
};

/** A killed program writes no final event: its session still counts as running. */
const stopReason = (session: SessionState): string =>
  session.running ? 'crashed' : safe(session.stopReason ?? session.status.replace('_', ' '));

/** The first one, and how many more: in a narrow line. */
const first = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items[0]} · ${items.length - 1} more`;

const draining = (session: SessionState, now: LocalTime): NowLine | null => {
  const why = drainReason(session);
  if (why === null) return null;
  const start = session.drain === null ? `Draining (${why})` : `Draining, ${why}`;
  const running = active(session);
  if (running.length === 0) return { tone: 'held', text: `${start}: stopping now` };
  const waits = running.map((invocation) => doing(session, invocation, now));
  return {
    tone: 'held',
    text: `${start}: waiting for ${list(waits, 2)}, then stopping`,
    short: `Draining: waiting for ${first(running.map((invocation) => briefly(session, invocation, now)))}`,
  };
};

const drainReason = ({ drain, state, loop }: SessionState): string | null => {
  if (drain !== null) return `requested by ${safe(drain.by)}`;
  if (state !== 'DRAINING' || loop === null) return null;
  return safe(loop.stop?.sentence ?? runtimeSentence);
};

const held = (view: ViewState, session: SessionState, now: LocalTime): NowLine | null => {
  const { hold } = session;
  if (hold === null) return null;
  const who = safe(hold.by);
  if (hold.stage === 'pausing') {
    const running = active(session);
    if (running.length === 0)
      return { tone: 'held', text: `Pausing, requested by ${who}: nothing new starts` };
    const waits = running.map((invocation) => doing(session, invocation, now));
    return {
      tone: 'held',
      text: `Pausing, requested by ${who}: waiting for ${list(waits, 2)}`,
      short: `Pausing: waiting for ${first(running.map((invocation) => briefly(session, invocation, now)))}`,
    };
  }
  const queued = selectSignals(view).queued;
  const parts = [
    `Paused by ${who} since ${formatTimeOfDay(Date.parse(hold.since), now)}`,
    hold.processes > 0 ? `${count(hold.processes, 'process', 'processes')} still running` : '',
    queued > 0 ? `${count(queued, 'signal')} queued until you resume` : '',
    '{steer.pause} resumes',
  ];
  const short = `Paused by ${who}${queued > 0 ? ` · ${queued} queued` : ''} · {steer.pause} resumes`;
  return { tone: 'held', text: parts.filter((part) => part !== '').join(' · '), short };
};

/** What waits for a person waits during a hold too, and may be what holds it up. */
const withYours = (line: NowLine | null, yours: NowLine | null): NowLine | null => {
  if (line === null || yours === null) return line;
  const [text, short] = [yours.text, yours.short ?? yours.text].map((words) => words.replace(/^W/, 'w'));
  return {
    tone: 'you',
    text: `${line.text} · ${text}`,
    short: `${line.short ?? line.text} · ${short}`,
    ...(yours.last && { last: yours.last }),
  };
};

/** A machine that agents of this session work on is not reached. They work on: that is no failure yet. */
const unreachable = (session: SessionState, now: LocalTime): NowLine | null => {
  const names = new Set(active(session).flatMap(({ runner }) => runner ?? []));
  const [name, lost] = [...names].flatMap((each) => {
    const state = session.runners.get(each)?.lost;
    return state ? [[each, state] as const] : [];
  })[0] ?? [null, null];
  if (name === null || lost === null) return null;
  const since = formatTimeOfDay(Date.parse(lost.since), now);
  const until = formatTimeOfDay(Date.parse(lost.stopsAt), now);
  return {
    tone: 'wait',
    text: `Runner ${safe(name)} has been unreachable since ${since}: its agents keep working until ${until}`,
    short: `Runner ${safe(name)} unreachable since ${since}`,
  };
};

const working = (view: ViewState, session: SessionState, now: LocalTime): NowLine | null => {
  const running = active(session);
  if (running.length === 0) {
    const settling = [...session.invocations.values()].find((invocation) => invocation.stage !== 'paused');
    return settling === undefined
      ? null
      : { tone: 'work', text: `Now: recording the result of the ${place(settling)}` };
  }
  const waiting = selectStanding(session).waitingFor.size;
  const rest = waiting > 0 ? ` · ${count(waiting, 'task waits', 'tasks wait')}` : '';
  const named = running.map((invocation) => doing(session, invocation, now) + silence(view, invocation, now));
  const brief = running.map(
    (invocation) => briefly(session, invocation, now) + silence(view, invocation, now),
  );
  return { tone: 'work', text: `Now: ${list(named, 2)}${rest}`, short: `Now: ${first(brief)}` };
};

/** Shorter silence is not mentioned. */
const silentAfterMs = 30_000;

const silence = (view: ViewState, invocation: Invocation, now: LocalTime): string => {
  const log = view.output.logs.get(
    invocation.task === null ? invocation.id : outputKey(invocation.task, invocation.attempt),
  );
  if (log === undefined || now.ms - Date.parse(log.at) < silentAfterMs) return '';
  return `, silent ${formatSince(log.at, now)}`;
};

const place = (invocation: Invocation): string =>
  invocation.task === null ? invocation.role : `${invocation.role} on ${invocation.task}`;

/** Whether a hosted session can only continue after a person acts or at a certain time. */
const selectWaits = ({ session, connection }: ViewState): boolean =>
  session?.running === true &&
  connection !== 'stopped' &&
  active(session).length === 0 &&
  (session.gate !== null ||
    session.hold?.stage === 'paused' ||
    waitingTimers(session).length > 0 ||
    holdingUp(session) !== null);

/** Whether a waiting session is drawn once a minute, so that its times are shown in minutes. */
export const isByMinutes = (view: ViewState): boolean => view.connection !== 'replay' && selectWaits(view);

/** The period in which texts on screen change by themselves, counted from an instant. */
export interface Refresh {
  readonly everyMs: number;
  readonly fromMs: number;
  /** Leaves a frame out where another one was drawn so shortly before. */
  readonly unlessDrawnMs?: number;
}

/** In the middle of a spinner's period. The frames of a fast stream turn the spinner too: none is added to those. */
const spinning: Refresh = {
  everyMs: spinnerMs,
  fromMs: spinnerMs / 2,
  unlessDrawnMs: spinnerMs / 2,
};

/** Every second while something runs, with a spinner more often. Otherwise in whole minutes of the running time, or of the time since the stop. */
export const selectRefresh = (view: ViewState, spins = false): Refresh | null => {
  const { session, connection } = view;
  if (session === null || connection === 'replay') return null;
  const isRun = session.running && connection !== 'stopped' && !isComplete(session);
  if (isRun && !selectWaits(view)) return spins ? spinning : { everyMs: 1_000, fromMs: 0 };
  if (isRun && session.startedAt !== '')
    return { everyMs: 60_000, fromMs: Date.parse(session.startedAt) - session.spentMs + session.waitedMs };
  const at = Date.parse(session.at);
  return Number.isNaN(at) ? null : { everyMs: 60_000, fromMs: at };
};
