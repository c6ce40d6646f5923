import { failedForGood } from '../../tasks/graph.ts';
import { removeWorktrees } from '../changes/worktrees.ts';
import type { Effect } from '../effect.ts';
import type { SessionState } from '../state.ts';
import { type Asks, type Change, save } from './table.ts';

export const effectsOfTasks: Asks = {
  // Without a Planner the engine writes the files of tasks.
  'tasks.defined': ({ after }) =>
    after.mode !== 'waves' ? [{ type: 'prepare-iteration', iteration: after.iteration }, ...save()] : save(),
  'wave.chosen': save,
  'task.started': save,
  'task.submitted': save,
  'task.verified': save,
  'verify.outdated': save,
  'task.qualified': (change, event) => [
    ...save(),
    ...removeWorktrees(change.after, event.task),
    ...over(change, event.task, 'is done'),
  ],
  'task.failed': (change, event) => [...save(), ...over(change, event.task, 'has failed')],
  'task.interrupted': save,
  'task.escalated': save,
  'task.reset': ({ before }, event) => [...stop(before, event.task, 'retry'), ...save()],
  'task.cancelled': (change, event) => [
    ...stop(change.before, event.task, 'cancel'),
    ...save(),
    ...over(change, event.task, 'was cancelled'),
  ],
  'task.replaced': (change, event) => [
    ...stop(change.before, event.task, 'cancel'),
    ...save(),
    // What a phase of a flow handed in is kept elsewhere.
    ...(change.after.mode === 'flow' ? removeWorktrees(change.after, event.task) : []),
    ...over(change, event.task, 'was replaced'),
  ],
  'task.file-missing': ({ before }, event) => stop(before, event.task, 'cancel'),
  'task.edited-by-hand': (change, event) => [
    ...stop(change.before, event.task, 'cancel'),
    ...save(),
    ...over(change, event.task, 'was settled by hand'),
  ],
};

/** Stops work on the task. Its result would be dropped anyway. */
const stop = (before: SessionState, task: string, reason: 'retry' | 'cancel'): readonly Effect[] =>
  [...before.invocations.values()].flatMap((invocation) =>
    invocation.task === task && invocation.stage === 'running'
      ? [{ type: 'stop-invocation', invocation: invocation.id, reason } as const]
      : [],
  );

/** Sweeps signals for a settled task: it runs no more, so no consumer will take them (src/signals/README.md, rule 9). */
const over = ({ after }: Change, id: string, what: string): readonly Effect[] => {
  const task = after.tasks.get(id);
  const settled =
    task &&
    (task.status === 'done' ||
      task.status === 'cancelled' ||
      failedForGood(task, after.settings.retries.max_attempts));
  return settled ? [{ type: 'sweep-signals', why: 'task-settled', task: id, reason: `${id} ${what}` }] : [];
};
