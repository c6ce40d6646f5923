import { assertNever } from '../base/assert-never.ts';
import { safe } from '../base/safe.ts';
import type { SessionState } from '../pipeline/state.ts';
import { keptWords } from './kept-lessons.ts';
import { count } from './moment.ts';
import type { NowLine } from './now-line.ts';
import { selectFeedback } from './select-feedback.ts';
import { selectSignals } from './select-signals.ts';
import { selectTasks } from './select-tasks.ts';
import type { ViewState } from './view.ts';

/** The now line of a session that is over: how it ended, and what one does next; `null` before that. */
export const endedLine = (view: ViewState, session: SessionState): NowLine | null =>
  goesOn(view, ended(session));

/** COMPLETE: how it ended, why, and what one does next. */
const ended = (session: SessionState): NowLine | null => {
  if (session.state !== 'COMPLETE') return null;
  const table = selectTasks({ session });
  const lost = table.standing.unreachable.size;
  switch (session.status) {
    case 'aborted':
      return {
        tone: 'bad',
        text: `Aborted${by(session)}. Nothing was reverted. Next: {leave.quit} leaves, feedback starts another iteration`,
        short: `Aborted${by(session)}. Nothing was reverted. {leave.quit} leaves`,
      };
    case 'awaiting_feedback': {
      const left = [
        table.failed > 0 ? `${table.failed} failed` : '',
        lost > 0 ? `${lost} unreachable` : '',
        table.uncommitted > 0 ? `${table.uncommitted} not committed` : '',
      ].filter((part) => part !== '');
      return {
        tone: 'bad',
        text: `Ended: ${table.done} of ${table.total} done, ${left.join(', ') || 'feedback wanted'}. Next: {steer.retry} opens a failed task again`,
        short: `Ended: ${table.done} of ${table.total} done, ${left.join(', ') || 'feedback wanted'}. {steer.retry} retries`,
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
        text: `Complete: ${table.done} of ${table.total} tasks done${open}${lessons}. Next: {leave.quit} leaves`,
      };
    }
    default:
      return assertNever(session.status);
  }
};

/** What was sent after the end waits for somebody to run the session again: that is what comes next. */
const goesOn = (view: ViewState, line: NowLine | null): NowLine | null => {
  if (line === null || view.connection !== 'stopped' || !view.ui.resumable) return line;
  const next = waiting(view);
  const [how = ''] = line.text.split(/\. (?:Nothing|Next)/);
  return next === null ? line : { tone: line.tone, text: `${how}. ${next}` };
};

const waiting = (view: ViewState): string | null => {
  const signals = selectSignals(view).inbox.length;
  if (signals > 0)
    return `${count(signals, 'signal waits', 'signals wait')} to be read: {arrive.resume} resumes`;
  const next = selectFeedback(view);
  return next === null ? null : `Feedback waits: {arrive.resume} starts iteration ${next}`;
};

/** The request itself is over by then; the signal still tells who sent it. */
const by = (session: SessionState): string => {
  const asked = [...session.signals.values()].findLast(
    ({ signal, stage }) => signal.type === 'ABORT' && stage === 'handled',
  );
  const who = session.abort?.by ?? asked?.signal.from;
  return who ? ` by ${safe(who)}` : '';
};
