import { printedCommand } from '../../src/base/process/printed-command.ts';
import { safe } from '../../src/base/safe.ts';
import { list } from '../../src/base/sentence.ts';
import { issuesForAPerson } from '../../src/pipeline/modes/flow/index.ts';
import { modeOf } from '../../src/pipeline/modes/index.ts';
import { lastTurn, turnId } from '../../src/pipeline/modes/loop/turns.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { worksOnWords } from '../../src/session/feedback-work.ts';
import { isComplete } from '../../src/session/status.ts';
import { mergedWords, selectKeptWorktrees } from '../../src/words/changes-words.ts';
import { count } from '../../src/words/local-time.ts';
import { commandHere, there } from '../../src/words/session-command.ts';
import { loopSummary } from '../../src/words/turn-words.ts';
import { shortUsage } from '../../src/words/usage-words.ts';
import { feedbackNeedsAgent, selectFeedback } from '../answer/select-feedback.ts';
import { type EndChanges, selectEndChanges, selectUnmerged } from '../changes/end-changes.ts';
import { retriesSent } from '../compose/steerable.ts';
import { formatSpent } from '../frame/select-header.ts';
import { keptWords, lessonsLeft } from '../knowledge/kept-lessons.ts';
import { selectLogin } from '../permission/select-login.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import { type WhyFailed, whyFailed } from '../tasks/why-failed.ts';
import type { ViewState } from '../view.ts';
import { countUnchecked, type EndTask, selectEndTasks } from './end-tasks.ts';

/** How a session ended and the next steps, failures first. */
export interface EndView {
  /** "Ended with failures", "Stopped: crashed". */
  readonly title: string;
  /** Its first word, where there is no room for a reason. */
  readonly heading: string;
  readonly tone: 'done' | 'failed' | 'held';
  /** "8 of 10 done", "1 failed", "12:05". */
  readonly counts: readonly EndCount[];
  /** Every task, the failed ones first. */
  readonly tasks: readonly EndTask[];
  /** Why each failed task failed, by id. */
  readonly failures: ReadonlyMap<string, EndFailure>;
  /** What the session changed, in files and lines. */
  readonly changed: EndChanges;
  /** The lessons that were kept, or that still wait. */
  readonly lessons: string | null;
  /** Where the work of worktrees is, and the commands that take it from there; none when there is none. */
  readonly changes: readonly string[];
  readonly next: readonly string[];
}

interface EndCount {
  readonly text: string;
  /** What is missing has a tone of its own, whatever the end. */
  readonly tone: EndView['tone'];
}

interface EndFailure extends WhyFailed {
  /** A retry was sent, and nobody has read it yet. */
  readonly isAsked: boolean;
}

export const selectEnd = (view: ViewState): EndView | null => {
  const { session } = view;
  if (session === null) return null;
  const table = selectTasks(view);
  const asked = retriesSent(view);
  const failures = new Map(
    [...table.lines.values()]
      .filter((line) => line.look === 'failed')
      .flatMap((line): readonly (readonly [string, EndFailure])[] => {
        const task = session.tasks.get(line.id);
        return task === undefined
          ? []
          : [[line.id, { isAsked: asked.has(line.id), ...whyFailed(view, task) }]];
      }),
  );
  const { title, tone } = titleOf(view, table.failed);
  return {
    title,
    tone,
    heading: title.replace(/:.*/s, ''),
    counts: countsOf(view, session, tone),
    tasks: selectEndTasks(view),
    failures,
    changed: selectEndChanges(view),
    lessons: lessonsOf(view),
    changes: [...selectUnmerged(view), ...mergedWords(session, there(view)), ...selectKeptWorktrees(session)],
    next: nextOf(view, failures),
  };
};

/** What became of the tasks, then the time and the cost. */
const countsOf = (view: ViewState, session: SessionState, tone: EndView['tone']): readonly EndCount[] => {
  const table = selectTasks(view);
  const lost = table.standing.unreachable.size;
  const cancelled = [...table.lines.values()].filter(({ look }) => look === 'cancelled').length;
  const unchecked = countUnchecked(view);
  const loop = loopSummary(session);
  const told = (text: string): EndCount => ({ text, tone });
  const missing = (number: number, words: string): EndCount => ({
    text: number > 0 ? `${number} ${words}` : '',
    tone: 'held',
  });
  return [
    told(loop ?? `${table.done} of ${table.total} done`),
    told(table.byHand > 0 ? `${table.byHand} by hand` : ''),
    { text: table.failed > 0 && loop === null ? `${table.failed} failed` : '', tone: 'failed' } as const,
    missing(cancelled, 'cancelled'),
    missing(lost, 'unreachable'),
    missing(table.uncommitted, 'not committed'),
    missing(unchecked, `${unchecked === 1 ? 'criterion' : 'criteria'} not checked`),
    told(formatSpent(session)),
    told(shortUsage(session.spending.values())),
  ].filter(({ text }) => text !== '');
};

/** A host runs the session, but the work is over and a gate waits. */
const isRun = ({ session, connection }: ViewState): boolean =>
  session?.running === true && connection !== 'stopped' && !isComplete(session);

const titleOf = (view: ViewState, failed: number): Pick<EndView, 'title' | 'tone'> => {
  const { session } = view;
  if (isRun(view))
    return failed > 0
      ? { title: 'The work ended with failures', tone: 'failed' }
      : { title: 'The work is done', tone: 'done' };
  if (session === null || !isComplete(session)) {
    const reason = session?.running ? 'crashed' : safe(session?.stopReason ?? 'stopped');
    return { title: `Stopped: ${reason}`, tone: 'held' };
  }
  switch (session.status) {
    case 'aborted':
      return { title: 'Aborted', tone: 'failed' };
    case 'awaiting_feedback':
      return { title: safe(loopStop(session) ?? 'Ended with failures'), tone: 'failed' };
    default:
      return { title: 'Complete', tone: 'done' };
  }
};

/** Why a loop gave up: "Ended: 3 turns failed in a row". `null` in another mode. */
const loopStop = ({ loop }: SessionState): string | null =>
  loop?.stop ? `Ended: ${loop.stop.sentence}` : null;

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
    return `${count(staged.length, 'lesson')} not kept; the ${staged.length === 1 ? 'file stays' : 'files stay'} in ${here}`;
  return carried.length > 0 ? `${count(carried.length, 'lesson')} carried over to the next iteration` : null;
};

/** Lessons that wait for a decision: at an open gate, or in a session that stopped before it. */
export const lessonsWaiting = ({ session }: Pick<ViewState, 'session'>): number =>
  session?.gate?.gate === 'knowledge' ? session.gate.files.length : 0;

const nextOf = (view: ViewState, failures: EndView['failures']): readonly string[] => {
  const { session, ui } = view;
  const over = isComplete(session);
  const steers = view.connection !== 'replay';
  const login = selectLogin(view);
  const again = [...failures].filter(([, { isAsked }]) => isAsked).map(([id]) => safe(id));
  const retries = isRun(view)
    ? '{end.retry} retries the chosen task and continues the session'
    : over
      ? '{end.retry} retries the chosen task and resumes the session'
      : '{end.retry} reopens the chosen task, then {end.resume} resumes the session';
  return [
    ...(login !== null && ui.resumable
      ? [`{end.login} logs in to ${login.label} with \`${safe(login.command)}\` and continues`]
      : []),
    ...(again.length > 0 && !isRun(view) && ui.resumable
      ? [`{end.resume} resumes the session and retries ${list(again, 3)}`]
      : []),
    ...(failures.size > again.length && steers ? [retries] : []),
    ...(!over && !isRun(view) && ui.resumable ? ['{end.resume} continues where the session stopped'] : []),
    ...(over ? afterwards(view) : []),
    `\`${commandHere(view, 'report')}\` prints the report`,
  ];
};

/** The next step after an iteration, or a loop, is over. */
const afterwards = (view: ViewState): readonly string[] => {
  const { session } = view;
  const next = selectFeedback(view);
  if (next !== null) return [`Feedback is waiting: {end.resume} starts iteration ${next} with it`];
  if (session === null) return [];
  if (session.loop !== null) return afterLoop(view, session);
  if (!modeOf(session).readsFeedback) return afterIssues(view, session);
  if (feedbackNeedsAgent(view))
    return [
      `Written feedback needs an agent with a model: \`${there(view)}ralph-tui resume ${session.session} --agent NAME\``,
    ];
  // Feedback to commands alone can only open a failed task again, and so does a retry.
  return worksOnWords(session.settings)
    ? [`\`${commandHere(view, 'feedback add "what to fix"')}\` starts the next iteration`]
    : [];
};

const afterLoop = (view: ViewState, session: SessionState): readonly string[] => {
  const last = turnId(lastTurn(session));
  return session.status === 'completed' || session.tasks.size === 0
    ? []
    : [
        `\`${commandHere(view, `retry ${last} "a message"`)}\` reopens that turn with a message; resume the session to continue the loop`,
      ];
};

/** How issues that wait for a person get back to work, and where new work comes from. */
const afterIssues = (view: ViewState, session: SessionState): readonly string[] => [
  ...issuesForAPerson(session).map(
    (id) =>
      `${safe(id)} needs you: run \`${there(view)}${printedCommand('ralph-tui', 'issues', 'move', id, 'Ready for Plan')}\`, then run the issue again`,
  ),
  `For new work, create an issue: \`${there(view)}ralph-tui issues new "what to fix"\``,
];
