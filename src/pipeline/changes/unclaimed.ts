import type { TaskId } from '../../tasks/task.ts';
import { isDeclared } from '../../tasks/task-files.ts';
import type { SessionState } from '../state.ts';
import { attemptKey } from './changes-state.ts';

/** How to tell a task's own changes in its worktree from those that an agent beside it may have written there. */
export interface UnclaimedWork {
  /** The agents that could write there. */
  readonly beside: readonly string[];
  /** The task does not declare the path, and none of its attempts named it as changed. */
  readonly isUnclaimed: (path: string) => boolean;
}

/**
 * `null`: all changes are the task's own, because it worked alone or declares no files. A change that it declares, that a tool call of its agent made, or
 * that its agent reports, is its own too. Attempts build on one another, so those before count with the last. `resolve`: a path with its links resolved.
 */
export const unclaimedWork = (
  { tasks, changes, iteration }: SessionState,
  id: TaskId,
  resolve: (path: string) => string | null,
): UnclaimedWork | null => {
  const { definition, attempt = 1 } = tasks.get(id) ?? {};
  if (definition === undefined || definition.files.length === 0) return null;
  const attempts = Array.from({ length: Math.max(attempt, 1) }, (_, at) =>
    changes.attempts.get(attemptKey(iteration, id, at + 1)),
  ).filter((each) => each !== undefined);
  const beside = [...new Set(attempts.flatMap((each) => each.beside))];
  if (beside.length === 0) return null;
  const claimed = attempts.flatMap(({ claimed, directory }) =>
    claimed.map((path) => relativeTo([directory, directory && resolve(directory)], path)),
  );
  const own = { files: [...definition.files, ...claimed] };
  return { beside, isUnclaimed: (path) => !isDeclared(own, path) };
};

const relativeTo = (roots: readonly (string | null)[], path: string): string => {
  const root = roots.find((each) => each !== null && path.startsWith(`${each}/`));
  return root == null ? path : path.slice(root.length + 1);
};
