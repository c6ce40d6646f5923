import { assertNever } from '../base/assert-never.ts';
import { safe } from '../base/safe.ts';
import { flowTaskOf } from '../issues/task-list/stored-task.ts';
import type { EventOf } from '../pipeline/event.ts';
import type { Invocation, SessionState } from '../pipeline/state.ts';
import { formatSince, type LocalTime, workingSince } from './local-time.ts';

/** An invocation's current activity and its duration: "`npm test` on lint 0:42". */
export const doing = (session: SessionState, invocation: Invocation, now: LocalTime): string => {
  const { command } = invocation;
  if (command === null)
    return `${modeWords(session, invocation)} ${formatSince(workStart(session, invocation), now)}`;
  const where = invocation.task === null ? '' : ` on ${taskWords(session, invocation.task)}`;
  const whose = invocation.role === 'Reviewer' ? 'review: ' : workerOf(invocation);
  return `${whose}\`${safe(command.text)}\`${where} ${formatSince(command.since, now)}`;
};

/** Where the clock of an agent's work begins, ISO 8601: for a task with its attempt, so that its row, its report and every other place show one time. */
export const workStart = ({ tasks }: SessionState, invocation: Invocation): string => {
  const task =
    invocation.role === 'Executor' && invocation.task !== null ? tasks.get(invocation.task) : undefined;
  return task?.status === 'running' && task.startedAt !== null
    ? workingSince(task.startedAt, task.heldMs)
    : workingSince(invocation.startedAt, invocation.heldMs);
};

/** A worker of a team is known by its name. */
const workerOf = ({ worker }: Invocation): string => (worker === null ? '' : `${safe(worker)}: `);

/** A short form of `doing` for a narrow screen. */
export const briefly = (session: SessionState, invocation: Invocation, now: LocalTime): string => {
  const { command } = invocation;
  if (command === null) return doing(session, invocation, now);
  const text = safe(command.text);
  const cut = text.length > 28 ? `${text.slice(0, 27)}…` : text;
  const where = invocation.task === null ? '' : `${taskWords(session, invocation.task)}: `;
  return `${where}\`${cut}\` ${formatSince(command.since, now)}`;
};

/** What a person calls a task: the id that its plan gave it. The ids of a flow's tasks are made by this program (`review-3_stream_r2`), so those have their title. */
export const taskWords = ({ tasks }: SessionState, id: string): string => {
  const definition = tasks.get(id)?.definition;
  return definition === undefined || flowTaskOf(definition) === null
    ? safe(id)
    : `"${safe(definition.title)}"`;
};

const modeWords = (session: SessionState, invocation: Invocation): string => {
  const task = invocation.task === null ? 'a task' : taskWords(session, invocation.task);
  switch (invocation.mode) {
    case 'INITIALIZE':
      return 'Planner prepares the session';
    case 'TASK_BREAKDOWN':
      return 'Planner breaks the goal into tasks';
    case 'UPDATE':
      return 'Planner updates the plan';
    case 'REBREAKDOWN':
      return 'Planner plans the next tasks';
    case 'REBREAKDOWN_TASK':
      return `Planner splits ${task}`;
    case 'brainstorm':
      return 'Questioner looks for gaps';
    case 'research':
      return 'Questioner looks for answers';
    case 'feedback-analysis':
      return 'Questioner reads the feedback';
    case 'IMPLEMENT':
      return `${safe(invocation.worker ?? invocation.backend)} works on ${task}`;
    case 'TASK_REVIEW':
      return `Reviewer checks ${task}`;
    case 'SESSION_REVIEW':
      return 'Reviewer reviews the whole session';
    case 'STAGE':
      return 'Librarian collects what was learned';
    case 'PROMOTE':
      return 'Librarian stores what was approved';
    default:
      return assertNever(invocation.mode);
  }
};

/** A failed call in words, by its slot: `IMPLEMENT:lint` is "lint", `SESSION_REVIEW` is "session review". */
export const callWords = (slot: string): string => {
  const [mode = slot, task] = slot.split(/:(.*)/);
  return task ?? mode.toLowerCase().replaceAll('_', ' ');
};

/** How a command ended. A bare number would read as a count, so it becomes `exit N`. */
export const exitWords = (exit: string): string => (/^\d+$/.test(exit) ? `exit ${exit}` : safe(exit));

/** The sentence without its keys: in a replay those keys control the playback. */
export const withoutKeys = (text: string): string =>
  text.replace(/(?: · |\. )(?:Next: )?\{.*?(?= · |$)/g, '');

/** Why a done task has no commit of its own. '' when it has one, or when none was wanted. */
export const noCommitWords = ({ commit, commit_detail: why }: EventOf<'task.qualified'>): string => {
  if (commit === 'failed') return `not committed: ${safe(why ?? 'no reason was given')}`;
  return commit === 'skipped' && why !== undefined ? `nothing committed: ${safe(why)}` : '';
};

/** The last note in a task's log after a successful review. */
export const qualifiedNote = (
  event: EventOf<'task.qualified'>,
): readonly [text: string, tone: 'good' | 'bad'] => [
  ['passed', noCommitWords(event)].filter((part) => part !== '').join(', '),
  event.commit === 'failed' ? 'bad' : 'good',
];
