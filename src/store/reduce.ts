import { safe } from '../base/safe.ts';
import type { Event, EventOf } from '../pipeline/event.ts';
import type { Invocation, SessionState } from '../pipeline/state.ts';
import { resetLog } from './reduce-log.ts';
import { planRequest } from './select-request.ts';
import { maxEvents, type Notice, type UiState, type ViewState } from './view.ts';
import { noCommitWords } from './work-words.ts';

/** The view after one event: the session by `evolve`, the output book, and the few things the eye follows. */
export const reduceEvent = (
  view: ViewState,
  event: Event,
  evolve: (state: SessionState | null, event: Event) => SessionState,
): ViewState => {
  const changed = view.output.take(event);
  const outputVersion = changed ? view.outputVersion + 1 : view.outputVersion;
  // Output is most of a stream and no part of the session: it leaves everything else as it was.
  if (event.type === 'output.written') return { ...view, outputVersion };
  view.attempts.take(event);
  const session = evolve(view.session, event);
  return {
    ...view,
    session,
    outputVersion,
    notice: noticeOf(event) ?? view.notice,
    ui: stayOnAttempt(followWork(closeEnd(closeDecided(view.ui, event), event), session, event), event),
  };
};

/** The ring of events with these added; output is no event worth a line of its own. */
export const keepEvents = (view: ViewState, added: readonly Event[]): ViewState => {
  const shown = added.slice(-maxEvents).filter((event) => event.type !== 'output.written');
  return shown.length === 0 ? view : { ...view, events: [...view.events, ...shown].slice(-maxEvents) };
};

/** What a consumer reported of one's own steering is worth a sentence; everything else is on screen anyway. */
const noticeOf = (event: Event): Notice | null => {
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

/** What and what to do first: where it is may be a long path, and a notice is one line. */
const problemWords = ({ what, mend, where }: EventOf<'problem.found'>['fault']): string =>
  safe(`${what}${mend ? `; ${mend}` : ''}${where ? ` (${where})` : ''}`);

/** A gate or question that was settled elsewhere takes its overlay with it. */
const closeDecided = (ui: UiState, event: Event): UiState => {
  if (event.type === 'gate.decided' && event.gate === 'knowledge')
    return { ...ui, overlays: ui.overlays.filter((overlay) => overlay.kind !== 'knowledge') };
  const settled =
    event.type === 'question.answered'
      ? event.request
      : event.type === 'gate.decided' && event.gate === 'plan'
        ? planRequest
        : null;
  if (settled === null) return ui;
  const stays = ui.overlays.filter((overlay) => overlay.kind !== 'answer' || overlay.request !== settled);
  return { ...ui, overlays: stays };
};

/** How it ended is not said of a session that somebody runs again, or that has work again. */
const closeEnd = (ui: UiState, event: Event): UiState => {
  const goesOn =
    event.type === 'session.started' ||
    (event.type === 'state.entered' && event.state !== 'KNOWLEDGE_APPROVAL' && event.state !== 'COMPLETE');
  return goesOn && ui.overlays.some(({ kind }) => kind === 'end')
    ? { ...ui, overlays: ui.overlays.filter(({ kind }) => kind !== 'end') }
    : ui;
};

/** Without a selection the screen shows one piece of work until it ends, then another that is under way or the next that starts: it never hops between two. */
const followWork = (ui: UiState, session: SessionState, event: Event): UiState => {
  const subject = begun(event) ?? (hasEnded(event) && !isReading(ui) ? workUnderWay(session) : null);
  if (subject === null || subject === ui.followed) return ui;
  const busy = [...session.invocations.values()].some(
    (invocation) => invocation.stage === 'running' && subjectOf(invocation) === ui.followed,
  );
  return busy
    ? ui
    : { ...ui, followed: subject, log: ui.selected.tasks === null ? resetLog(ui.log) : ui.log };
};

const isReading = ({ log }: UiState): boolean => log.top !== null || log.pageTop !== null;

/** Who reads what an attempt printed stays with it when the next one starts. */
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

/** Somebody who reads what it printed is not taken away from there; else the eye goes on with the work. */
const hasEnded = ({ type }: Event): boolean =>
  type === 'task.submitted' ||
  type === 'task.failed' ||
  type === 'task.interrupted' ||
  type === 'task.cancelled';

/** What has been under way longest. */
const workUnderWay = (session: SessionState): string | null => {
  const running = [...session.invocations.values()].find(({ stage }) => stage === 'running');
  return running === undefined ? null : subjectOf(running);
};

const subjectOf = ({ task, id }: Invocation): string => task ?? id;
