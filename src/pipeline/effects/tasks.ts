import { failedForGood } from '../../tasks/graph.ts';
import type { Effect } from '../effect.ts';
import type { SessionState } from '../state.ts';
import { type AsksOf, type Change, save } from './table.ts';

export const effectsOfTasks: AsksOf<
  | 'tasks.defined'
  | 'wave.chosen'
  | 'task.started'
  | 'task.submitted'
  | 'task.qualified'
  | 'task.failed'
  | 'task.interrupted'
  | 'task.escalated'
  | 'task.reset'
  | 'task.cancelled'
  | 'task.replaced'
  | 'task.file-missing'
  | 'task.edited-by-hand'
> = {
  'tasks.defined': save,
  'wave.chosen': save,
  'task.started': save,
  'task.submitted': save,
  'task.qualified': (change, event) => [...save(), ...over(change, event.task, 'is done')],
  'task.failed': (change, event) => [...save(), ...over(change, event.task, 'has failed')],
  'task.interrupted': save,
  'task.escalated': save,
  'task.reset': ({ before }, event) => [...stop(before, event.task, 'retry'), ...save()],
  'task.cancelled': (change, event) => [
    ...stop(change.before, event.task, 'cancel'),
    ...save(),
    ...over(change, event.task, 'was cancelled'),
  ],
  'task.replaced': (change, event) => [...save(), ...over(change, event.task, 'was replaced')],
  'task.file-missing': ({ before }, event) => stop(before, event.task, 'cancel'),
  'task.edited-by-hand': (change, event) => [
    ...stop(change.before, event.task, 'cancel'),
    ...save(),
    ...over(change, event.task, 'was settled by hand'),
  ],
};

/** Whoever works on the task is stopped; what it brings would be dropped anyway. */
const stop = (before: SessionState, task: string, reason: 'retry' | 'cancel'): readonly Effect[] =>
  [...before.invocations.values()].flatMap((invocation) =>
    invocation.task === task && invocation.stage === 'running'
      ? [{ type: 'stop-invocation', invocation: invocation.id, reason } as const]
      : [],
  );

/** A settled task runs no more: what still waits for it in the mailbox reaches nobody (signals.md, rule 9). */
const over = ({ after }: Change, id: string, what: string): readonly Effect[] => {
  const task = after.tasks.get(id);
  const settled =
    task &&
    (task.status === 'done' ||
      task.status === 'cancelled' ||
      failedForGood(task, after.settings.retries.max_attempts));
  return settled ? [{ type: 'sweep-signals', why: 'task-settled', task: id, reason: `${id} ${what}` }] : [];
};
