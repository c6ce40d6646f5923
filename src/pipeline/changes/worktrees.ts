import type { Effect } from '../effect.ts';
import type { SessionState } from '../state.ts';
import { attemptKey } from './changes-state.ts';

/** Removes the worktrees of a task that is done. Those of failed and dropped ones are kept. */
export const removeWorktrees = (state: SessionState, id: string): readonly Effect[] =>
  hasWorktree(state, id) ? [{ type: 'remove-worktrees', task: id }] : [];

/** The same for every done task: a crash may have come before. */
export const leftWorktrees = (state: SessionState): readonly Effect[] =>
  [...state.tasks].flatMap(([id, task]) => (task.status === 'done' ? removeWorktrees(state, id) : []));

/** The task's attempts of this iteration that have a worktree. */
export const attemptsWithWorktree = (state: SessionState, id: string): readonly number[] => {
  const last = state.tasks.get(id)?.attempt ?? 0;
  return Array.from({ length: last }, (_, index) => index + 1).filter(
    (number) => state.changes.attempts.get(attemptKey(state.iteration, id, number))?.directory != null,
  );
};

const hasWorktree = (state: SessionState, id: string): boolean => attemptsWithWorktree(state, id).length > 0;
