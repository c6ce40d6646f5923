import type { Effect } from '../effect.ts';
import type { SessionState } from '../state.ts';
import { attemptKey } from './changes-state.ts';

/** Removes the worktrees of a task that is done. Those of failed and dropped ones are kept. */
export const removeWorktrees = (state: SessionState, id: string): readonly Effect[] =>
  state.changes.session === null ? [] : [{ type: 'remove-worktrees', task: id }];

/** The same for every done task that is known to have one: a crash may have come before. */
export const leftWorktrees = (state: SessionState): readonly Effect[] =>
  [...state.tasks].flatMap(([id, task]) =>
    task.status === 'done' && attemptsOf(state, id).some((number) => hasWorktree(state, id, number))
      ? removeWorktrees(state, id)
      : [],
  );

/** The task's attempts in this iteration whose worktree was not removed. A crash may have left one that no event names. */
export const attemptsToClean = (state: SessionState, id: string): readonly number[] =>
  attemptsOf(state, id).filter((number) => {
    const known = state.changes.attempts.get(attemptKey(state.iteration, id, number));
    return known === undefined || known.directory !== null;
  });

const attemptsOf = (state: SessionState, id: string): readonly number[] =>
  Array.from({ length: state.tasks.get(id)?.attempt ?? 0 }, (_, index) => index + 1);

const hasWorktree = (state: SessionState, id: string, number: number): boolean =>
  state.changes.attempts.get(attemptKey(state.iteration, id, number))?.directory != null;
