import { type Claimable, nextTask, ownTask } from './claim.ts';
import type { Worker } from './worker.ts';

/** What a worker does next that wants to stop. `idle` and `shutdown` let it. */
type StopAnswer =
  /** It is in the middle of this task: refused. */
  | { readonly kind: 'unfinished'; readonly task: string }
  /** Work for its role waits. */
  | { readonly kind: 'next'; readonly task: string }
  /** It was told so already, and nothing has changed since. */
  | { readonly kind: 'repeated'; readonly task: string }
  /** Every task for its role waits for others. */
  | { readonly kind: 'idle'; readonly why: 'blocked'; readonly tasks: readonly string[] }
  /** Every task that is left is for other roles, or taken. */
  | { readonly kind: 'idle'; readonly why: 'other-roles' }
  /** The list is done. */
  | { readonly kind: 'shutdown' };

/** The one line of a hook that keeps a worker from stopping. */
export const pendingTasksLine = 'Pending tasks exist for your role.';

/** The stop gate. `told`: the state of the list (`gateState`) at which the worker was last refused, so that it is never refused twice for the same. */
export const stopGate = (list: readonly Claimable[], worker: Worker, told: string | null): StopAnswer => {
  const own = ownTask(list, worker);
  if (own !== null && own.standing === 'in_progress') return { kind: 'unfinished', task: own.id };
  const next = nextTask(list, worker);
  if (next !== null) return { kind: told === gateState(list, worker) ? 'repeated' : 'next', task: next.id };
  const left = list.filter(({ standing }) => standing === 'pending' || standing === 'in_progress');
  if (left.length === 0) return { kind: 'shutdown' };
  const blocked = left.filter(
    ({ role, owner }) => role === worker.role && (owner === null || owner === worker.name),
  );
  return blocked.length > 0
    ? { kind: 'idle', why: 'blocked', tasks: blocked.map(({ id }) => id) }
    : { kind: 'idle', why: 'other-roles' };
};

/** What of the list decides about a worker's stop, as a text to compare. */
export const gateState = (list: readonly Claimable[], { role, name }: Worker): string =>
  JSON.stringify(
    list
      .filter((task) => task.role === role && (task.owner === null || task.owner === name))
      .map(({ id, standing, owner, blockedBy }) => [id, standing, owner, blockedBy]),
  );
