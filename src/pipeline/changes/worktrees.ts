import type { Effect } from '../effect.ts';
import type { SessionState } from '../state.ts';
import { attemptKey } from './changes-state.ts';

/**
 * Removes the worktrees of a task that is done. Those of failed and dropped ones are kept. Tasks of a flow may all work on branches of streams, without one of
 * the session.
 */
export const removeWorktrees = (state: SessionState, id: string): readonly Effect[] =>
  state.changes.session !== null || attemptsOf(state, id).some((number) => hasWorktree(state, id, number))
    ? [{ type: 'remove-worktrees', task: id }]
    : [];

/** The same for every such task that is known to have one: a crash may have come before. */
export const leftWorktrees = (state: SessionState): readonly Effect[] =>
  [...state.tasks.keys()].flatMap((id) =>
    isOver(state, id) && attemptsOf(state, id).some((number) => hasWorktree(state, id, number))
      ? removeWorktrees(state, id)
      : [],
  );

/** Nothing is left to do in its worktrees. What a phase of a flow handed in is kept elsewhere, also when others take its work over. */
const isOver = ({ tasks, mode }: SessionState, id: string): boolean => {
  const task = tasks.get(id);
  const isReplaced = task?.status === 'cancelled' && (task.definition.replaced_by ?? []).length > 0;
  return task?.status === 'done' || (mode === 'flow' && isReplaced);
};

/**
 * The attempts in this iteration of a task that is over, whose worktree was not removed. A crash may have left one that no event names. A task that was opened
 * again works in one of them: all are removed when it is done.
 */
export const attemptsToClean = (state: SessionState, id: string): readonly number[] =>
  (isOver(state, id) ? attemptsOf(state, id) : []).filter((number) => {
    const known = state.changes.attempts.get(attemptKey(state.iteration, id, number));
    return known === undefined || known.directory !== null;
  });

const attemptsOf = (state: SessionState, id: string): readonly number[] =>
  Array.from({ length: state.tasks.get(id)?.attempt ?? 0 }, (_, index) => index + 1);

const hasWorktree = (state: SessionState, id: string, number: number): boolean =>
  state.changes.attempts.get(attemptKey(state.iteration, id, number))?.directory != null;
