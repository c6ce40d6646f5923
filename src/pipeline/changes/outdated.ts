import type { TaskId } from '../../tasks/task.ts';
import { isDeclared } from '../../tasks/task-files.ts';
import type { EventBody } from '../event.ts';
import { isIsolated } from '../isolated.ts';
import { isCheck } from '../scheduling/slots.ts';
import type { SessionState, TaskState } from '../state.ts';
import { graphOf } from '../waves.ts';

/**
 * A done task whose `verify` passed while others worked in the shared tree, and whose files, or files that no task declares, have changed since. What
 * tasks changed that wait for it does not count: they build on it.
 */
export const outdatedCheck = (state: SessionState): EventBody | null => {
  if (isIsolated(state)) return null;
  for (const task of state.tasks.values()) {
    if (task.status !== 'done' || task.passedBeside === null) continue;
    const files = changedSince(state, task, task.passedBeside);
    if (files.length > 0)
      return {
        type: 'verify.outdated',
        task: task.definition.id,
        attempt: Math.max(task.attempt, 1),
        files: [...files],
      };
  }
  return null;
};

/** When a check began beside which others worked; `null` for another review. */
export const passedBeside = (state: SessionState, invocation: string | undefined): string | null => {
  const check = state.invocations.get(invocation ?? '');
  return check?.disturbed === true && isCheck(state, check) ? check.startedAt : null;
};

const changedSince = (
  state: SessionState,
  { definition, changed }: TaskState,
  since: string,
): readonly string[] => {
  const own = { files: [...definition.files, ...changed] };
  const behind = tasksBehind(state, definition.id);
  const files = [...state.changes.attempts.values()].flatMap(({ task, endedAt, files, undeclared }) => {
    if (task === definition.id || behind.has(task) || endedAt === null || endedAt < since) return [];
    const other = state.tasks.get(task)?.definition ?? { files: [] };
    const counts = (file: string): boolean => isDeclared(own, file) || !isDeclared(other, file);
    return [...(files ?? []).filter(counts), ...undeclared];
  });
  return [...new Set(files)].toSorted();
};

/** The tasks that wait for it, directly or not. */
const tasksBehind = (state: SessionState, id: TaskId): ReadonlySet<TaskId> => {
  const { dependantsOf } = graphOf(state);
  const found = new Set<TaskId>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const behind of dependantsOf.get(next) ?? [])
      if (!found.has(behind)) {
        found.add(behind);
        open.push(behind);
      }
  return found;
};
