import { failedForGood } from '../../tasks/graph.ts';
import type { TaskId } from '../../tasks/task.ts';
import type { SessionState, TaskState } from '../state.ts';
import { blockersDone } from '../waves.ts';

/** A task to work on once a slot is free: open, or failed with attempts left, and every blocker done. */
export const isReady = (state: SessionState, task: TaskState): boolean => {
  const { status, replan, definition } = task;
  const isOpen = status === 'open' || (status === 'failed' && !isFailedForGood(state, task));
  return isOpen && replan === null && !isReplaced(state, definition) && blockersDone(state, task);
};

/** It belongs into the batch: there is work on it, or its check failed beside others and is a piece of work of its own now. */
export const isForBatch = (state: SessionState, task: TaskState): boolean =>
  verifiesNext(task) || isReady(state, task);

/** Whether a task of the batch waits for no other. One whose blocker was opened again does; a result does not, because its work is done. */
export const isFree = (state: SessionState, task: TaskState): boolean =>
  verifiesNext(task) || blockersDone(state, task);

const verifiesNext = ({ status, verifiesAlone }: TaskState): boolean => status === 'review' && verifiesAlone;

const isReplaced = ({ tasks }: SessionState, { id, replaced_by }: TaskState['definition']): boolean =>
  replaced_by.some((part) => part !== id && tasks.has(part));

const isFailedForGood = ({ settings }: SessionState, task: TaskState): boolean =>
  failedForGood(task, settings.retries.max_attempts);

/** Nothing is left to do for it. A task that can never start because of such a one is not known by itself. */
export const isOver = (state: SessionState, task: TaskState): boolean =>
  task.status === 'done' || task.status === 'cancelled' || isFailedForGood(state, task);

/** Tasks with an invocation that runs or is not settled yet. */
export const tasksAtWork = ({ invocations }: SessionState): ReadonlySet<TaskId> =>
  new Set([...invocations.values()].flatMap(({ task }) => task ?? []));
