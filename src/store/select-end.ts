import { safe } from '../base/safe.ts';
import { keptWords, lessonsLeft } from './kept-lessons.ts';
import { count } from './moment.ts';
import { outputKey } from './output-book.ts';
import { selectFeedback } from './select-feedback.ts';
import { formatSpent } from './select-header.ts';
import { selectTasks } from './select-tasks.ts';
import type { ViewState } from './view.ts';

/** How a session ended and what one does next: failures first. */
export interface EndView {
  readonly title: string;
  readonly tone: 'good' | 'bad' | 'warn';
  /** "8 of 10 done · 1 failed · 12:05". */
  readonly counts: string;
  readonly failures: readonly EndFailure[];
  /** What became of the lessons, or of those that still wait. */
  readonly lessons: string | null;
  readonly next: readonly string[];
}

export interface EndFailure {
  readonly task: string;
  readonly attempt: number;
  readonly verdict: string;
  /** The last lines its last attempt printed. */
  readonly tail: readonly string[];
}

const tailLines = 3;

export const selectEnd = (view: ViewState): EndView | null => {
  const { session } = view;
  if (session === null) return null;
  const table = selectTasks(view);
  const failures = [...table.lines.values()]
    .filter((line) => line.look === 'failed')
    .map((line): EndFailure => {
      const log = view.output.logs.get(outputKey(line.id, line.attempt));
      const printed = (log?.lines ?? []).filter((entry) => entry.kind === 'text' && entry.text.trim() !== '');
      const verdict = safe(session.tasks.get(line.id)?.reason ?? 'no reason was given');
      // A verdict may quote what was printed last: once is enough.
      const tail = printed.slice(-tailLines).map((entry) => entry.text);
      return {
        task: line.id,
        attempt: line.attempt,
        verdict,
        tail: tail.filter((text) => !verdict.includes(text.trim())),
      };
    });
  const lost = table.standing.unreachable.size;
  const cancelled = [...session.tasks.values()].filter(({ status }) => status === 'cancelled').length;
  const counts = [
    `${table.done} of ${table.total} done`,
    table.failed > 0 ? `${table.failed} failed` : '',
    cancelled > 0 ? `${cancelled} cancelled` : '',
    lost > 0 ? `${lost} unreachable` : '',
    table.uncommitted > 0 ? `${table.uncommitted} not committed` : '',
    formatSpent(session, null),
  ].filter((part) => part !== '');
  return {
    ...titleOf(view, table.failed),
    counts: counts.join(' · '),
    failures,
    lessons: lessonsOf(view),
    next: nextOf(view, failures.length),
  };
};

/** Somebody runs it: the work is over, and a gate waits. */
const isRun = ({ session, connection }: ViewState): boolean =>
  session?.running === true && connection !== 'stopped' && session.state !== 'COMPLETE';

const titleOf = (view: ViewState, failed: number): Pick<EndView, 'title' | 'tone'> => {
  const { session } = view;
  if (isRun(view))
    return failed > 0
      ? { title: 'The work is over, with failures', tone: 'bad' }
      : { title: 'The work is done', tone: 'good' };
  if (session === null || session.state !== 'COMPLETE') {
    const reason = session?.running ? 'crashed' : safe(session?.stopReason ?? 'stopped');
    return { title: `Stopped: ${reason}`, tone: 'warn' };
  }
  switch (session.status) {
    case 'aborted':
      return { title: 'Aborted', tone: 'bad' };
    case 'awaiting_feedback':
      return { title: 'Ended with failures', tone: 'bad' };
    default:
      return { title: 'Complete', tone: 'good' };
  }
};

const lessonsOf = ({ session, connection }: ViewState): string | null => {
  if (session === null) return null;
  const { promoted, carried, staged } = session.knowledge;
  const waiting = lessonsWaiting({ session });
  if (waiting > 0)
    return `${count(waiting, 'lesson')} to keep? ${connection === 'stopped' ? '{end.resume} resumes, then {end.review} reviews' : '{end.review} review'} · {end.later} later`;
  const here = `iterations/${session.iteration}/knowledge`;
  const left = lessonsLeft(session);
  const rest =
    left === 0 ? '' : `; ${left === 1 ? 'the other one stays' : `the other ${left} stay`} in ${here}`;
  if (promoted.length > 0) return `${keptWords(session)} in ${session.settings.knowledge.docs_dir}${rest}`;
  if ((session.decision?.decision === 'skip' || session.status === 'aborted') && staged.length > 0)
    return `${count(staged.length, 'lesson')} not kept; what was written stays in ${here}`;
  return carried.length > 0 ? `${count(carried.length, 'lesson')} carried to the next iteration` : null;
};

/** Lessons that wait for a decision: at an open gate, or in a session that stopped before it. */
export const lessonsWaiting = ({ session }: Pick<ViewState, 'session'>): number =>
  session?.gate?.gate === 'knowledge' ? session.gate.files.length : 0;

const nextOf = (view: ViewState, failed: number): readonly string[] => {
  const { session, ui } = view;
  const id = session?.session ?? '';
  const over = session?.state === 'COMPLETE';
  const steers = view.connection !== 'replay';
  const retries = isRun(view)
    ? '{end.retry} opens the chosen task again: the session goes on with it'
    : '{end.retry} retries the chosen task: written now, read when the session is resumed ({end.resume})';
  return [
    ...(failed > 0 && steers ? [retries] : []),
    ...(!over && !isRun(view) && ui.resumable ? ['{end.resume} goes on where it stopped'] : []),
    ...(over ? [afterwards(view)] : []),
    `\`ralph-tui report --session ${id}\` prints all of it`,
  ];
};

/** What comes after an iteration that is over. */
const afterwards = (view: ViewState): string => {
  const next = selectFeedback(view);
  return next === null
    ? '`ralph-tui feedback add "…"` says what the next iteration is to mend'
    : `Feedback waits: {end.resume} starts iteration ${next} with it`;
};
