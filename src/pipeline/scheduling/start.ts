import type { TaskDefinition, TaskId } from '../../tasks/task.ts';
import { onlyReads, overlappingFiles } from '../../tasks/task-files.ts';
import { mayStart } from '../invoke.ts';
import { isIsolated } from '../isolated.ts';
import type { SessionState, TaskState } from '../state.ts';
import { graphOf, openBlockers } from '../waves.ts';
import { chainOf } from './chain.ts';
import { isFree, tasksAtWork } from './ready.ts';
import { freeSlots, settlesAtOnce } from './slots.ts';

/**
 * The first of these tasks, in their order, that may start now. Nothing starts beside which a task could not run that must be alone and waits further ahead:
 * else others would run for ever before its turn comes.
 */
export const nextToStart = (
  state: SessionState,
  ids: readonly TaskId[],
  waits: (task: TaskState) => boolean,
): TaskState | null => {
  if (freeSlots(state) <= 0) return null;
  const working = [...worksIn(state)];
  const busy = tasksAtWork(state);
  for (const id of ids) {
    if (working.some(isSingle)) return null;
    const task = state.tasks.get(id);
    const mode = task?.verifiesAlone ? 'TASK_REVIEW' : 'IMPLEMENT';
    if (!task || busy.has(id) || !mayStart(state, mode, task) || !isFree(state, task)) continue;
    if (waits(task)) continue;
    if (!working.some((other) => mayNotJoin(state, task, other)))
      return isOvertaken(state, task) ? null : task;
    if (isSingle(task) || isAnyFile(state, task.definition)) working.push(task);
  }
  return null;
};

/**
 * A task with a longer chain can start as soon as a result without commands to run is settled, which takes milliseconds: the slot is better kept for it than
 * taken for as long as this task takes.
 */
const isOvertaken = (state: SessionState, task: TaskState): boolean => {
  const chain = chainOf(state);
  const own = chain(task.definition.id);
  const { dependantsOf } = graphOf(state);
  return [...state.tasks.values()].some(
    (each) =>
      settlesAtOnce(state, each) &&
      (dependantsOf.get(each.definition.id) ?? []).some((id) => chain(id) > own && isNext(state, id, each)),
  );
};

/** It waits for nothing but this task. */
const isNext = (state: SessionState, id: TaskId, { definition }: TaskState): boolean => {
  const task = state.tasks.get(id);
  return task?.status === 'open' && openBlockers(state, task).every((blocker) => blocker === definition.id);
};

/** It names no files, so that it may change any in the shared tree. */
const isAnyFile = (state: SessionState, task: TaskDefinition): boolean =>
  !isIsolated(state) && task.files.length === 0 && !onlyReads(task);

/**
 * True when two unconnected tasks may not run side by side: they change the same files, or
 * one of them names no files (src/session/README.md, Configuration).
 */
export const conflict = (a: TaskDefinition, b: TaskDefinition): boolean => {
  if (onlyReads(a) || onlyReads(b)) return false;
  return a.files.length === 0 || b.files.length === 0 || overlappingFiles(a, b).length > 0;
};

/** In worktrees of their own tasks never disturb each other: what both change meets at the merge. */
const mayNotJoin = (state: SessionState, task: TaskState, other: TaskState): boolean =>
  isSingle(task) || isSingle(other) || (!isIsolated(state) && conflict(task.definition, other.definition));

/** Nothing may run beside it: it says so, or its check failed beside others. */
const isSingle = ({ definition, verifiesAlone }: TaskState): boolean =>
  definition.type === 'Sequential' || verifiesAlone;

/** The running task that keeps a ready task from starting, although a slot is free. */
export interface HeldBack {
  readonly by: TaskId;
  /** Files that both change; empty when one of them names none. */
  readonly files: readonly string[];
}

/** Returns a function that says for each task what holds it back now, or `null`. It answers why nothing starts. */
export const heldBack = (state: SessionState): ((task: TaskDefinition) => HeldBack | null) => {
  const working = worksIn(state);
  return ({ id }) => {
    const task = state.tasks.get(id);
    const by = task && working.find((other) => other !== task && mayNotJoin(state, task, other));
    return by ? { by: by.definition.id, files: overlappingFiles(task.definition, by.definition) } : null;
  };
};

/** The tasks that others may disturb: those with an Executor, and in a shared tree those whose result is looked at there. */
const worksIn = (state: SessionState): readonly TaskState[] =>
  [...state.invocations.values()].flatMap(({ mode, task }) =>
    task !== null && (mode === 'IMPLEMENT' || (mode === 'TASK_REVIEW' && !isIsolated(state)))
      ? (state.tasks.get(task) ?? [])
      : [],
  );
