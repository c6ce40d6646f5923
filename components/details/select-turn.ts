import { whyNoTurn } from '../../src/pipeline/changes/undoable.ts';
import { isIsolated } from '../../src/pipeline/isolated.ts';
import type { ViewState } from '../view.ts';

/** What the key for undo does with this work: takes it back, or brings it again. */
export interface Turn {
  readonly way: 'undo' | 'redo';
  /** The work is on the session's branch, not in the workspace. */
  readonly inWorktree: boolean;
}

/** The turn for a task, or for one of its attempts; the reason why there is none. Later work that depends on it is found when it is tried. */
export const selectTurn = (
  { session }: Pick<ViewState, 'session'>,
  task: string,
  attempt: number | null,
): Turn | string => {
  if (session === null) return 'There is no session';
  const { asked, step } = session.changes;
  const before = asked ?? (step?.kind === 'turn' ? step : null);
  if (before !== null) return `The ${before.way} of ${before.task} is not finished yet`;
  const why = whyNoTurn(session, task);
  if (why !== null) return `${why.slice(0, 1).toUpperCase()}${why.slice(1)}`;
  const inWorktree = isIsolated(session);
  const parts = [...session.changes.attempts.values()].filter(
    (each) => each.task === task && (attempt === null || each.attempt === attempt),
  );
  const standing = parts.filter(
    ({ undone, merged, files }) =>
      undone === null && (inWorktree ? merged !== null : files !== null && files.length > 0),
  );
  if (standing.length > 0) return { way: 'undo', inWorktree };
  if (parts.some(({ undone }) => undone !== null)) return { way: 'redo', inWorktree };
  return inWorktree ? `No changes from ${task} are merged` : `No changes from ${task} were recorded`;
};
