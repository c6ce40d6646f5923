import { assertNever } from '../../src/base/assert-never.ts';
import { safe } from '../../src/base/safe.ts';
import { asSentence } from '../../src/base/sentence.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { worksOnWords } from '../../src/session/feedback-work.ts';
import { isComplete } from '../../src/session/status.ts';
import { count } from '../../src/words/local-time.ts';
import { loopCounts } from '../../src/words/turn-words.ts';
import { selectFeedback } from '../answer/select-feedback.ts';
import { keptWords } from '../knowledge/kept-lessons.ts';
import { selectSignals } from '../mailbox/select-signals.ts';
import { selectFailures } from '../tasks/select-failures.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import type { NowLine } from './now-line.ts';

/** The now line of an ended session: how it ended, and the next step. `null` before the end. */
export const endedLine = (view: ViewState, session: SessionState): NowLine | null =>
  goesOn(view, ended(session));

/** COMPLETE: how the session ended, why, and the next step. */
const ended = (session: SessionState): NowLine | null => {
  if (!isComplete(session)) return null;
  const loop = endedLoop(session);
  if (loop !== null) return loop;
  const table = selectTasks({ session });
  const lost = table.standing.unreachable.size;
  switch (session.status) {
    case 'aborted': {
      const next = worksOnWords(session.settings) ? '; feedback starts another iteration' : '';
      return {
        tone: 'bad',
        text: `Aborted${by(session)}. Nothing was reverted. Next: {leave.quit} leaves${next}`,
        short: `Aborted${by(session)}. Nothing was reverted. {leave.quit} leaves`,
      };
    }
    case 'awaiting_feedback': {
      const failures = selectFailures({ session });
      if (failures !== null)
        return {
          tone: 'bad',
          text: `${failures.counts}: ${failures.cause}. Next: {steer.retry} retries a failed task`,
          short: `${failures.counts}: ${failures.cause}`,
        };
      const left = [
        lost > 0 ? `${lost} unreachable` : '',
        table.uncommitted > 0 ? `${table.uncommitted} not committed` : '',
      ].filter((part) => part !== '');
      return {
        tone: 'bad',
        text: `Ended: ${table.done} of ${table.total} done, ${left.join(', ') || 'feedback needed'}. Next: {steer.retry} retries a failed task`,
        short: `Ended: ${table.done} of ${table.total} done, ${left.join(', ') || 'feedback needed'}. {steer.retry} retries`,
      };
    }
    case 'completed':
    case 'in_progress':
    case 'paused':
    case 'blocked': {
      const lessons = session.knowledge.promoted.length > 0 ? `, ${keptWords(session)}` : '';
      const open = table.uncommitted > 0 ? `, ${table.uncommitted} not committed` : '';
      return {
        tone: open === '' ? 'good' : 'bad',
        text: `Complete: ${table.done} of ${count(table.total, 'task')} done${open}${lessons}. Next: {leave.quit} leaves`,
      };
    }
    default:
      return assertNever(session.status);
  }
};

/** A loop ends with the sentence of its stop condition. `null` in another mode, and for an ABORT. */
const endedLoop = (session: SessionState): NowLine | null => {
  const stop = session.loop?.stop ?? null;
  if (stop === null || session.status === 'aborted') return null;
  const how = `${stop.condition === 'completion' ? 'Complete' : 'Ended'} after ${loopCounts(session)}`;
  const why = safe(stop.sentence.replace(/^complete: /, ''));
  return stop.condition === 'completion'
    ? { tone: 'good', text: `${how}: ${asSentence(why)} Next: {leave.quit} leaves` }
    : {
        tone: 'bad',
        text: `${how}: ${asSentence(why)} Next: {steer.retry} reopens a turn`,
        short: `${how}: ${why}`,
      };
};

/** Signals or feedback sent after the end wait for a resume, which is then the next step. */
const goesOn = (view: ViewState, line: NowLine | null): NowLine | null => {
  if (line === null || view.connection !== 'stopped' || !view.ui.resumable) return line;
  const next = waiting(view);
  const [how = ''] = line.text.split(/[.?!…] (?:Nothing|Next)/);
  return next === null ? line : { tone: line.tone, text: `${how}. ${next}`, last: ` ${next}` };
};

const waiting = (view: ViewState): string | null => {
  const signals = selectSignals(view).inbox.length;
  if (signals > 0)
    return `${count(signals, 'signal is waiting', 'signals are waiting')} to be read: {session.resume} resumes`;
  const next = selectFeedback(view);
  return next === null ? null : `Feedback is waiting: {session.resume} starts iteration ${next}`;
};

/** The abort request is gone by then, but the signal still has its sender. */
const by = (session: SessionState): string => {
  const asked = [...session.signals.values()].findLast(
    ({ signal, stage }) => signal.type === 'ABORT' && stage === 'handled',
  );
  const who = session.abort?.by ?? asked?.signal.from;
  return who ? ` by ${safe(who)}` : '';
};
