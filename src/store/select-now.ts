import { safe } from '../base/safe.ts';
import type { Invocation, SessionState } from '../pipeline/state.ts';
import { endedLine } from './ended-line.ts';
import { count, formatAgo, formatSince, formatTimeOfDay, type Moment } from './moment.ts';
import type { NowLine } from './now-line.ts';
import { outputKey } from './output-book.ts';
import { selectSignals } from './select-signals.ts';
import { selectStanding } from './select-tasks.ts';
import type { ViewState } from './view.ts';
import { briefly, doing, list, withoutKeys } from './work-words.ts';

/** Total over everything that can be going on; the first that is true speaks. */
export const selectNow = (view: ViewState, now: Moment): NowLine => {
  const line = nowOf(view, now);
  if (view.connection !== 'replay') return line;
  return {
    tone: line.tone,
    text: withoutKeys(line.text),
    ...(line.short && { short: withoutKeys(line.short) }),
  };
};

const nowOf = (view: ViewState, now: Moment): NowLine => {
  const { session } = view;
  if (session === null && view.connection === 'stopped')
    return { tone: 'you', text: 'No session here yet: choose what to start' };
  if (session === null) return { tone: 'wait', text: 'Opening: waits for the first event of the session' };
  return (
    aborting(session) ??
    endedLine(view, session) ??
    notRunning(view, session, now) ??
    held(view, session, now) ??
    waitsForYou(session, now) ??
    working(view, session, now) ??
    quota(session, now) ??
    retrying(session, now) ??
    between(session)
  );
};

const aborting = (session: SessionState): NowLine | null => {
  if (session.abort === null || !session.running) return null;
  const left = active(session).length;
  return session.abort.stopped
    ? { tone: 'bad', text: `Aborted by ${safe(session.abort.by)}: agents stopped, writing what was reached` }
    : {
        tone: 'bad',
        text: `Aborting, asked by ${safe(session.abort.by)}: stopping ${count(left, 'agent')} and verifying`,
      };
};

/** Nothing that costs anything starts by itself: what stopped it, when, and the keys that go on. */
const notRunning = (view: ViewState, session: SessionState, now: Moment): NowLine | null => {
  if (session.running && view.connection !== 'stopped') return null;
  const reason = stopReason(session);
  const stopped = `Stopped ${formatAgo(session.at, now)}: ${reason}`;
  return {
    tone: 'wait',
    text: view.ui.resumable
      ? `${stopped}. {arrive.resume} resume · {arrive.new} new`
      : `${stopped}. It can only be read here`,
    short: view.ui.resumable ? `Stopped: ${reason}. {arrive.resume} resume · {arrive.new} new` : stopped,
  };
};

/** A program that was killed leaves no last word: its session still counts as running. */
const stopReason = (session: SessionState): string =>
  session.running ? 'crashed' : safe(session.stopReason ?? session.status.replace('_', ' '));

const held = (view: ViewState, session: SessionState, now: Moment): NowLine | null => {
  const { hold } = session;
  if (hold === null) return null;
  const who = safe(hold.by);
  if (hold.stage === 'pausing') {
    const running = active(session);
    if (running.length === 0) return { tone: 'held', text: `Pausing, asked by ${who}: nothing new starts` };
    const waits = running.map((invocation) => doing(invocation, now));
    return {
      tone: 'held',
      text: `Pausing, asked by ${who}: waits for ${list(waits, 2)}`,
      short: `Pausing: waits for ${list(
        running.map((invocation) => briefly(invocation, now)),
        1,
      )}`,
    };
  }
  const queued = selectSignals(view).queued;
  const parts = [
    `Paused by ${who} since ${formatTimeOfDay(Date.parse(hold.since), now)}`,
    hold.processes > 0 ? `${count(hold.processes, 'process', 'processes')} still running` : '',
    queued > 0 ? `${queued} queued for the resume` : '',
    '{steer.pause} resumes',
  ];
  const short = `Paused by ${who}${queued > 0 ? ` · ${queued} queued` : ''} · {steer.pause} resumes`;
  return { tone: 'held', text: parts.filter((part) => part !== '').join(' · '), short };
};

const waitsForYou = (session: SessionState, now: Moment): NowLine | null => {
  const { gate } = session;
  if (gate !== null) {
    const deadline =
      gate.deadlineMs === null
        ? ''
        : ` · carried forward at ${formatTimeOfDay(gate.deadlineMs, now)} without an answer`;
    const what =
      gate.gate === 'knowledge'
        ? `approve knowledge, ${count(gate.files.length, 'file')}`
        : 'approve the plan';
    return {
      tone: 'you',
      text: `Waiting for you: ${what} · {decide.open} opens it${deadline}`,
      short: `Waiting for you: ${what.replace('approve knowledge', 'knowledge')} · {decide.open}${gate.deadlineMs === null ? ' opens it' : ` · until ${formatTimeOfDay(gate.deadlineMs, now)}`}`,
    };
  }
  const open = [...session.questions.values()].find((question) => question.answer === null);
  if (open === undefined) return null;
  const rest = active(session).length;
  const meanwhile = rest > 0 ? ` · ${count(rest, 'agent')} at work` : '';
  return { tone: 'you', text: `Waiting for you: ${safe(open.text)} · {decide.open} answers${meanwhile}` };
};

const working = (view: ViewState, session: SessionState, now: Moment): NowLine | null => {
  const running = active(session);
  if (running.length === 0) {
    const settling = [...session.invocations.values()].find((invocation) => invocation.stage !== 'paused');
    return settling === undefined
      ? null
      : { tone: 'work', text: `Now: takes in what ${place(settling)} came to` };
  }
  const waiting = selectStanding(session).waitingFor.size;
  const rest = waiting > 0 ? ` · ${count(waiting, 'task waits', 'tasks wait')}` : '';
  const named = running.map((invocation) => doing(invocation, now) + silence(view, invocation, now));
  const brief = running.map((invocation) => briefly(invocation, now) + silence(view, invocation, now));
  return { tone: 'work', text: `Now: ${list(named, 2)}${rest}`, short: `Now: ${list(brief, 1)}` };
};

/** Below this a pause in the output is nothing to speak of. */
const silentAfterMs = 30_000;

const silence = (view: ViewState, invocation: Invocation, now: Moment): string => {
  const log = view.output.logs.get(
    invocation.task === null ? invocation.id : outputKey(invocation.task, invocation.attempt),
  );
  if (log === undefined || now.ms - Date.parse(log.at) < silentAfterMs) return '';
  return `, silent ${formatSince(log.at, now)}`;
};

const quota = (session: SessionState, now: Moment): NowLine | null =>
  session.quotaUntil === null
    ? null
    : {
        tone: 'wait',
        text: `Quota used up: goes on by itself at ${formatTimeOfDay(session.quotaUntil, now)}`,
      };

const retrying = (session: SessionState, now: Moment): NowLine | null => {
  const waiting = [...session.retries].filter(([, retry]) => !retry.fired);
  const [key, retry] = waiting.sort((a, b) => a[1].atMs - b[1].atMs)[0] ?? [];
  if (key === undefined || retry === undefined) return null;
  const at = formatTimeOfDay(retry.atMs, now);
  return { tone: 'wait', text: `Waiting: ${safe(key)} is tried again at ${at}, try ${retry.tries + 1}` };
};

/** Nothing runs and nothing is waited for: the machine is between two steps. */
const between = (session: SessionState): NowLine => {
  const texts: { readonly [state in SessionState['state']]: string } = {
    INITIALIZING: 'Now: prepares the session',
    PLANNING: 'Now: chooses the next planning step',
    REPLANNING: 'Now: plans the next iteration',
    BATCHING: 'Now: chooses the next wave',
    EXECUTING_BATCH: `Now: starts what is ready, ${count(selectStanding(session).ready.length, 'task')}`,
    REVIEWING_BATCH: 'Now: hands results to the Reviewer',
    SESSION_REVIEW: 'Now: prepares the review of the session',
    KNOWLEDGE_EXTRACTION: 'Now: prepares to collect what was learned',
    KNOWLEDGE_APPROVAL: 'Now: opens the knowledge gate',
    COMPLETE: 'Complete',
  };
  return { tone: 'work', text: texts[session.state] };
};

const active = (session: SessionState): readonly Invocation[] =>
  [...session.invocations.values()].filter((invocation) => invocation.stage === 'running');

const place = (invocation: Invocation): string =>
  invocation.task === null ? invocation.role : `${invocation.role} on ${invocation.task}`;

/** Somebody runs the session, and nothing goes on before a person or a time of day comes. */
export const selectWaits = ({ session, connection }: ViewState): boolean =>
  session?.running === true &&
  connection !== 'stopped' &&
  active(session).length === 0 &&
  (session.gate !== null ||
    session.hold?.stage === 'paused' ||
    session.quotaUntil !== null ||
    [...session.retries.values()].some(({ fired }) => !fired) ||
    [...session.questions.values()].some(({ answer }) => answer === null));

/** When texts on screen change by themselves: so often, counted from that instant. */
export interface Beat {
  readonly everyMs: number;
  readonly fromMs: number;
}

/** Each second while something runs; where nothing does, whole minutes are told: of the time it has been run, or since it stopped. */
export const selectBeat = (view: ViewState): Beat | null => {
  const { session, connection } = view;
  if (session === null || connection === 'replay') return null;
  const isRun = session.running && connection !== 'stopped' && session.state !== 'COMPLETE';
  if (isRun && !selectWaits(view)) return { everyMs: 1_000, fromMs: 0 };
  if (isRun && session.startedAt !== '')
    return { everyMs: 60_000, fromMs: Date.parse(session.startedAt) - session.spentMs };
  const at = Date.parse(session.at);
  return Number.isNaN(at) ? null : { everyMs: 60_000, fromMs: at };
};
