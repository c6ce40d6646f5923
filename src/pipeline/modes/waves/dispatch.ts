import { onlyReads, overlappingFiles } from '../../../tasks/overlapping-files.ts';
import type { TaskDefinition, TaskId } from '../../../tasks/task.ts';
import { isIsolated } from '../../changes/isolated.ts';
import { mayStart } from '../../invoke.ts';
import type { SessionState, TaskState } from '../../state.ts';
import { blockersDone } from '../../waves.ts';
import { runStep } from './run-step.ts';

/**
 * The next task of the batch for an Executor, or null. Parallelizable tasks come first, up to
 * `max_parallel_executors`, then Sequential ones, each alone (src/engine/README.md, EXECUTING_BATCH).
 */
export const nextToExecute = (state: SessionState): TaskState | null => {
  const running = executing(state);
  if (running.length >= state.settings.concurrency.max_parallel_executors) return null;
  if (running.some((task) => task.definition.type === 'Sequential')) return null;
  const busy = new Set(tasksAtWork(state));
  let sequential: TaskState | null = null;
  let parallelLeft = false;
  for (const id of state.batch) {
    const task = state.tasks.get(id);
    if (!task || busy.has(id) || !mayStart(state, 'IMPLEMENT', task) || !blockersDone(state, task)) continue;
    if (runStep(state, task) === 'wait') continue;
    if (task.definition.type === 'Sequential') sequential ??= task;
    else if (running.some((other) => mayConflict(state, task.definition, other.definition)))
      parallelLeft = true;
    else return task;
  }
  return running.length === 0 && !parallelLeft ? sequential : null;
};

/** Unfinished members of the batch. A task whose blocker was reopened leaves the wave. */
export const outstanding = (state: SessionState): readonly TaskId[] =>
  state.batch.filter((id) => {
    const task = state.tasks.get(id);
    return task !== undefined && blockersDone(state, task);
  });

/**
 * True when two unconnected tasks may not run side by side: they change the same files, or
 * one of them names no files (src/session/README.md, Configuration).
 */
export const conflict = (a: TaskDefinition, b: TaskDefinition): boolean => {
  if (onlyReads(a) || onlyReads(b)) return false;
  return a.files.length === 0 || b.files.length === 0 || overlappingFiles(a, b).length > 0;
};

/** In worktrees of their own tasks never disturb each other: what both change meets at the merge. */
const mayConflict = (state: SessionState, a: TaskDefinition, b: TaskDefinition): boolean =>
  !isIsolated(state) && conflict(a, b);

/** The running task that keeps a ready task from starting, although a slot is free. */
export interface HeldBack {
  readonly by: TaskId;
  /** Files that both change; empty when one of them names none. */
  readonly files: readonly string[];
}

/** Returns a function that says for each task what holds it back now, or `null`. It answers why nothing starts. */
export const heldBack = (state: SessionState): ((task: TaskDefinition) => HeldBack | null) => {
  const running = executing(state).map((task) => task.definition);
  return (task) => {
    const by = running.find((other) => other.id !== task.id && mayNotJoin(state, task, other));
    return by ? { by: by.id, files: overlappingFiles(task, by) } : null;
  };
};

const mayNotJoin = (state: SessionState, task: TaskDefinition, running: TaskDefinition): boolean =>
  task.type === 'Sequential' || running.type === 'Sequential' || mayConflict(state, task, running);

const executing = (state: SessionState): readonly TaskState[] => {
  const running: TaskState[] = [];
  for (const invocation of state.invocations.values()) {
    if (invocation.mode !== 'IMPLEMENT' || invocation.task === null) continue;
    const task = state.tasks.get(invocation.task);
    if (task) running.push(task);
  }
  return running;
};

/** Tasks with an invocation that runs or is not settled yet. */
export const tasksAtWork = (state: SessionState): readonly TaskId[] =>
  [...state.invocations.values()].flatMap((invocation) => invocation.task ?? []);
