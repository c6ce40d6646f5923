import { safe } from '../src/base/safe.ts';
import type { Event, EventOf } from '../src/pipeline/event.ts';
import type { Invocation, SessionState } from '../src/pipeline/state.ts';
import { noCommitWords } from '../src/words/work-words.ts';
import { closeStale } from './close-stale.ts';
import { resetLog } from './draw/log-view.ts';
import { selectTasks } from './tasks/select-tasks.ts';
import { maxEvents, type Notice, type UiState, type ViewState } from './view.ts';

/** The view after one event: the session by `evolve`, the output logs, and the followed work. */
export const reduceEvent = (
  view: ViewState,
  event: Event,
  evolve: (state: SessionState | null, event: Event) => SessionState,
): ViewState => {
  const changed = view.output.take(event);
  view.rates.take(event);
  const outputVersion = changed ? view.outputVersion + 1 : view.outputVersion;
  // Output is most of a stream but no part of the session: everything else stays.
  if (event.type === 'output.written') return { ...view, outputVersion };
  const session = evolve(view.session, event);
  view.attempts.take(event, session);
  view.timeline.take(event, session);
  return closeStale({
    ...view,
    session,
    outputVersion,
    notice: noticeOf(event) ?? view.notice,
    ui: stayOnAttempt(followWork(askForIssues(closeEnd(view.ui, event), event), session, event), event),
  });
};

/** The ring of events with these added. Leaves out output, which has its own tab. */
export const keepEvents = (view: ViewState, added: readonly Event[]): ViewState => {
  const shown = added.slice(-maxEvents).filter((event) => event.type !== 'output.written');
  return shown.length === 0 ? view : { ...view, events: [...view.events, ...shown].slice(-maxEvents) };
};

/** A notice for reports about one's own steering. Everything else is on screen anyway. No key is answered with it. */
const noticeOf = (event: Event): Notice | null => {
  const said = saidOf(event);
  return said === null ? null : { ...said, besideKeys: true };
};

const saidOf = (event: Event): Pick<Notice, 'text' | 'tone'> | null => {
  switch (event.type) {
    case 'signal.rejected':
      return { text: `Rejected: ${event.reason}`, tone: 'bad' };
    case 'signal.undelivered':
      return { text: `${event.signal.type} not delivered: ${event.reason}`, tone: 'bad' };
    case 'limit.reached':
      return { text: event.reason, tone: 'bad' };
    case 'task.qualified':
      return event.commit === 'failed'
        ? {
            text: safe(`${event.task} is done, but ${noCommitWords(event)}; its changes stay as they are`),
            tone: 'bad',
          }
        : null;
    case 'problem.found':
      return { text: problemWords(event.fault), tone: 'bad' };
    default:
      return null;
  }
};

/** The problem and its hint come first: the place may be a long path, and a notice is one line. */
const problemWords = ({ what, hint, where }: EventOf<'problem.found'>['fault']): string =>
  safe(`${what}${hint ? `; ${hint}` : ''}${where ? ` (${where})` : ''}`);

/** Closes the end screen when the session runs again or has work again. */
const closeEnd = (ui: UiState, event: Event): UiState => {
  const goesOn =
    event.type === 'session.started' ||
    (event.type === 'state.entered' && event.state !== 'KNOWLEDGE_APPROVAL' && event.state !== 'COMPLETE');
  return goesOn && ui.overlays.some(({ kind }) => kind === 'end')
    ? { ...ui, overlays: ui.overlays.filter(({ kind }) => kind !== 'end') }
    : ui;
};

/** The session read or changed the tracker: what the screen read before is out of date. */
const askForIssues = (ui: UiState, event: Event): UiState =>
  event.type === 'issues.read' || ('moved' in event && event.moved.length > 0)
    ? { ...ui, issues: { ...ui.issues, asked: ui.issues.asked + 1 } }
    : ui;

/**
 * Without a selection the screen follows one task or invocation until it ends. Then it follows the running one that is nearest in the list, or the next that
 * starts. It never alternates between two.
 */
const followWork = (ui: UiState, session: SessionState, event: Event): UiState => {
  const follows = begun(event) !== null || (hasEnded(event) && !isReading(ui));
  const subject =
    lost(session, event) ?? (follows ? (workUnderWay(session, ui.followed) ?? begun(event)) : null);
  if (subject === null || subject === ui.followed) return ui;
  const busy = [...session.invocations.values()].some(
    (invocation) => invocation.stage === 'running' && subjectOf(invocation) === ui.followed,
  );
  return busy
    ? ui
    : { ...ui, followed: subject, log: ui.selected.tasks === null ? resetLog(ui.log) : ui.log };
};

/** Once the work is over, follows the failed task instead of the agents that write reports and lessons. */
const lost = (session: SessionState, event: Event): string | null => {
  if (!states.includes(session.state)) return null;
  return event.type === 'state.entered' || begun(event) !== null
    ? selectTasks({ session }).firstFailed
    : null;
};

/** States in which no task is worked on. */
const states: readonly SessionState['state'][] = [
  'SESSION_REVIEW',
  'KNOWLEDGE_EXTRACTION',
  'KNOWLEDGE_APPROVAL',
  'COMPLETE',
];

const isReading = ({ log }: UiState): boolean => log.top !== null || log.pageTop !== null;

/** A person who reads an attempt's output stays there when the next attempt starts. */
const stayOnAttempt = (ui: UiState, event: Event): UiState =>
  event.type === 'task.started' &&
  event.attempt > 1 &&
  isReading(ui) &&
  ui.log.attempt === null &&
  (ui.selected.tasks ?? ui.followed) === event.task
    ? { ...ui, log: { ...ui.log, attempt: event.attempt - 1 } }
    : ui;

const begun = (event: Event): string | null =>
  event.type === 'invocation.started' || event.type === 'command.started'
    ? (event.task ?? event.invocation)
    : null;

/** Events that end work on a task: the screen then follows other work, unless a person is reading. */
const hasEnded = ({ type }: Event): boolean =>
  type === 'task.submitted' ||
  type === 'task.failed' ||
  type === 'task.interrupted' ||
  type === 'task.cancelled';

/** The work nearest to the followed one in the list, so that the list moves little; a check or another invocation only where no work runs. */
const workUnderWay = (session: SessionState, followed: string | null): string | null => {
  const running = [...session.invocations.values()].filter(({ stage }) => stage === 'running');
  const works = running.filter(({ mode }) => mode === 'IMPLEMENT');
  const subjects = (works.length > 0 ? works : running).map(subjectOf);
  const { ids } = selectTasks({ session });
  const from = followed === null ? 0 : ids.indexOf(followed);
  const distance = (subject: string): number => Math.abs(ids.indexOf(subject) - from);
  return subjects.reduce<string | null>(
    (best, each) => (best === null || distance(each) < distance(best) ? each : best),
    null,
  );
};

const subjectOf = ({ task, id }: Invocation): string => task ?? id;
