import type { SessionState, TaskState } from '../../src/pipeline/state.ts';
import type { Attempt, AttemptHistory } from '../details/attempt-history.ts';
import { selectAttempt } from '../details/select-details.ts';
import type { ChangesRef } from '../ports/viewer-port.ts';
import { selectTask } from '../tasks/select-tasks.ts';
import type { ChangesScope, ViewState } from '../view.ts';

/** The request to git for the selected task or the session, and the key of its cached answer. */
export const selectChangesRef = (
  view: ViewState,
): { readonly title: string; readonly ref: ChangesRef; readonly key: string } | null => {
  const { session } = view;
  if (session === null) return null;
  if (view.ui.scope === 'session') return sessionChangesRef(session);
  const task = selectTask(view);
  if (task === null) return null;
  const attempt = selectAttempt(view);
  const tries = session.tasks.get(task)?.attempt ?? 0;
  const all = view.ui.scope === 'task';
  const undone = [...session.changes.attempts.values()].filter(
    (each) => each.task === task && each.undone !== null && (all || each.attempt === attempt?.number),
  ).length;
  const name =
    attempt === null || tries < 2 ? task : `${task} ${all ? 'overall' : `attempt ${attempt.number}`}`;
  const title = undone > 0 ? `${name}, undone` : name;
  const ref = changesRef(session, view.attempts, task, all ? undefined : (attempt ?? undefined));
  const of = { task, attempt: all ? null : (attempt?.number ?? null) };
  return keyed(title, { ...ref, of }, `${attempt?.number} ${attempt?.outcome}`);
};

/** The same for a task's last attempt, whichever is selected. */
export const taskChangesRef = (session: SessionState, attempts: AttemptHistory, task: string) => {
  const attempt = attempts.of(task).at(-1);
  const of = { task, attempt: attempt?.number ?? null };
  return keyed(
    task,
    { ...changesRef(session, attempts, task), of },
    `${attempt?.number} ${attempt?.outcome}`,
  );
};

/** The same for everything that the session changed. */
export const sessionChangesRef = (session: SessionState) =>
  keyed(
    'the whole session',
    refOf(session, null),
    `${session.wave ?? 0} ${doneIn(session)} ${workIn(session)}`,
  );

/** A flow has no waves: there the merges of finished tasks ask again. */
const doneIn = ({ mode, tasks }: SessionState): number =>
  mode === 'flow' ? [...tasks.values()].filter(({ status }) => status === 'done').length : 0;

/** In worktrees an attempt that ends, a merge and the session's end ask again: each moves what is merged, or what is not. */
const workIn = ({ changes: { attempts, merges }, running, status }: SessionState): string => {
  const apart = [...attempts.values()].filter(({ files }) => files === null);
  const ended = apart.filter(({ after }) => after !== null).length;
  return apart.length === 0 ? '' : `${merges} ${ended} ${running} ${status}`;
};

/**
 * What is shown after this: the task, which is the net change of its attempts, then each of them from the last one on, then the session. `attempt`: its
 * number, `null` for the last one.
 */
export const nextScope = (
  view: ViewState,
): { readonly scope: ChangesScope; readonly attempt: number | null } => {
  const tries = view.session?.tasks.get(selectTask(view) ?? '')?.attempt ?? 0;
  const now = selectAttempt(view)?.number ?? tries;
  if (view.ui.scope === 'session') return { scope: 'task', attempt: null };
  if (view.ui.scope === 'task') return { scope: tries > 1 ? 'attempt' : 'session', attempt: null };
  return now > 1 ? { scope: 'attempt', attempt: now - 1 } : { scope: 'session', attempt: null };
};

/** What `d` shows next, in words. */
export const nextScopeWords = (view: ViewState): string => {
  const { scope, attempt } = nextScope(view);
  if (scope !== 'attempt') return scope === 'task' ? 'the task' : 'the session';
  const tries = view.session?.tasks.get(selectTask(view) ?? '')?.attempt ?? 0;
  return `attempt ${attempt ?? tries}`;
};

const keyed = (title: string, ref: ChangesRef, when: string | number) => ({
  title,
  ref,
  key: `${title} ${when} ${ref.commit ?? ''} ${ref.files.join(' ')}`,
});

/**
 * The request to git: the files a task declares, and those an attempt was seen to change (the last one, or `attempt`). A failed or
 * running attempt may have no such files. Without a task it covers all tasks.
 */
export const changesRef = (
  session: SessionState,
  attempts: AttemptHistory,
  task: string | null,
  attempt: Attempt | undefined = task === null ? undefined : attempts.of(task).at(-1),
): ChangesRef => refOf(session, task, attempt);

const refOf = (session: SessionState, task: string | null, attempt?: Attempt): ChangesRef => {
  const meant = [...session.tasks.values()].filter(
    ({ definition }) => task === null || definition.id === task,
  );
  const changedIn = (of: TaskState): readonly string[] =>
    attempt === undefined || attempt.number === of.attempt ? of.changed : attempt.files;
  return {
    files: [
      ...new Set([...meant.flatMap(({ definition }) => definition.files), ...meant.flatMap(changedIn)]),
    ],
    seen: [...new Set(meant.flatMap(changedIn))],
    commit: attempt?.commit ?? null,
    of: { task, attempt: null },
    iteration: session.iteration,
  };
};
