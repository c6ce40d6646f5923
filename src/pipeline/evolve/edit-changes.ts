import { type AttemptChanges, attemptKey, type ChangesState } from '../changes/changes-state.ts';
import type { EventOf } from '../event.ts';
import { change, type Owned, put } from '../maps.ts';
import type { SessionState, TaskState } from '../state.ts';

/** The fields of the session that a change of its changes replaces. */
export const with_ = (state: SessionState, patch: Partial<ChangesState>): Pick<SessionState, 'changes'> => ({
  changes: { ...state.changes, ...patch },
});

/** The step under way has ended. */
export const over = (state: SessionState, patch: Partial<ChangesState> = {}): SessionState => ({
  ...state,
  ...with_(state, { step: null, ...patch }),
});

export const task = (
  state: SessionState,
  id: string,
  own: Owned,
  patch: Partial<TaskState>,
): Pick<SessionState, 'tasks'> => ({ tasks: change(own, state.tasks, id, (old) => ({ ...old, ...patch })) });

export const attempt = (
  state: SessionState,
  { task, attempt: number }: { readonly task: string; readonly attempt: number },
  own: Owned,
  edit: (old: AttemptChanges) => AttemptChanges,
  merges = state.changes.merges,
): Pick<SessionState, 'changes'> => {
  const key = attemptKey(state.iteration, task, number);
  const old = state.changes.attempts.get(key) ?? begun(task, number);
  return with_(state, { merges, attempts: put(own, state.changes.attempts, key, edit(old)) });
};

export const begun = (task: string, attempt: number): AttemptChanges => ({
  task,
  attempt,
  directory: null,
  branch: null,
  isSetUp: false,
  before: null,
  after: null,
  files: null,
  undeclared: [],
  beside: [],
  claimed: [],
  endedAt: null,
  merged: null,
  mergedOnto: null,
  undone: null,
  deferred: false,
  allowed: false,
  overrules: [],
  conflict: null,
});

/** Files of earlier attempts stay the task's: a later attempt may find them correct and not write them again. */
export const union = (files: readonly string[], more: readonly string[]): readonly string[] => [
  ...new Set([...files, ...more]),
];

/** Why the changes of a task that is done could not be committed. When only its `verify` ran again, nothing was to be committed. */
export const committed = (
  task: TaskState,
  event: EventOf<'task.qualified'>,
): Pick<TaskState, 'uncommitted' | 'unseenHooks'> =>
  task.review === 'repeated'
    ? { uncommitted: task.uncommitted, unseenHooks: task.unseenHooks }
    : {
        uncommitted: event.commit === 'failed' ? (event.commit_detail ?? 'no reason was given') : null,
        unseenHooks: event.commit_unseen ?? [],
      };

/** With all attempts before it, as after a person's decision. */
export const armed = (task: TaskState): TaskState => ({
  ...task,
  failures: 0,
  crashes: 0,
  cause: null,
  review: 'open',
  verification: null,
  verifiesAlone: false,
});
