import type { FlowRole } from '../task-list/task-phase.ts';
import type { Worker } from './worker.ts';

/** A task of the list as those see it who want to claim it. */
export interface Claimable {
  readonly id: string;
  readonly role: FlowRole;
  /** The worker that has it; `null` when it is free. */
  readonly owner: string | null;
  readonly standing: 'pending' | 'in_progress' | 'completed' | 'deleted';
  /** Blockers that are not completed. */
  readonly blockedBy: readonly string[];
}

/** What becomes of a claim. Only `claimed` changes anything. */
export type ClaimAnswer =
  | { readonly kind: 'claimed' }
  /** The same worker asks again for what it has. */
  | { readonly kind: 'yours' }
  | { readonly kind: 'unknown-task' }
  /** The worker is no member of this session. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'settled'; readonly standing: 'completed' | 'deleted' }
  | { readonly kind: 'wrong_role'; readonly role: FlowRole }
  | { readonly kind: 'taken_by'; readonly worker: string }
  | { readonly kind: 'busy'; readonly task: string }
  | { readonly kind: 'blocked_by'; readonly tasks: readonly string[] };

/**
 * Compare-and-set on (task, no owner, all blockers completed, role matches): the answer to one claim on the list as it is now. The pipeline is the only
 * writer and asks once per claim, so that one of many claimants gets `claimed`.
 */
export const answerClaim = (
  list: readonly Claimable[],
  members: readonly Worker[],
  claim: { readonly task: string; readonly worker: string },
): ClaimAnswer => {
  const worker = members.find(({ name }) => name === claim.worker);
  if (worker === undefined) return { kind: 'foreign' };
  const task = list.find(({ id }) => id === claim.task);
  if (task === undefined) return { kind: 'unknown-task' };
  if (task.standing === 'completed' || task.standing === 'deleted')
    return { kind: 'settled', standing: task.standing };
  if (task.role !== worker.role) return { kind: 'wrong_role', role: task.role };
  if (task.owner === worker.name) return { kind: 'yours' };
  if (task.owner !== null) return { kind: 'taken_by', worker: task.owner };
  const own = ownTask(list, worker);
  if (own !== null) return { kind: 'busy', task: own.id };
  if (task.blockedBy.length > 0) return { kind: 'blocked_by', tasks: task.blockedBy };
  return { kind: 'claimed' };
};

/** The unsettled task that a worker has, or `null`. */
export const ownTask = (list: readonly Claimable[], { name }: Worker): Claimable | null =>
  list.find(({ owner, standing }) => owner === name && isOpen(standing)) ?? null;

/** The next task of a worker: its own unblocked one, then the first unclaimed one of its role. Nothing matches on the words of a title. */
export const nextTask = (list: readonly Claimable[], worker: Worker): Claimable | null => {
  const own = ownTask(list, worker);
  if (own !== null) return own.blockedBy.length === 0 ? own : null;
  return (
    list.find(
      ({ owner, role, standing, blockedBy }) =>
        owner === null && role === worker.role && isOpen(standing) && blockedBy.length === 0,
    ) ?? null
  );
};

const isOpen = (standing: Claimable['standing']): boolean =>
  standing === 'pending' || standing === 'in_progress';

/** An answer to a claim in one sentence. */
export const claimWords = (answer: ClaimAnswer, task: string): string => {
  switch (answer.kind) {
    case 'claimed':
      return `${task} is yours`;
    case 'yours':
      return `${task} is already yours`;
    case 'unknown-task':
      return `task ${task} does not exist`;
    case 'foreign':
      return 'you are not a worker of this session';
    case 'settled':
      return `${task} is already ${answer.standing}`;
    case 'wrong_role':
      return `${task} is for the role ${answer.role}`;
    case 'taken_by':
      return `${task} is taken by ${answer.worker}`;
    case 'busy':
      return `finish ${answer.task} first`;
    case 'blocked_by':
      return `${task} is blocked by ${answer.tasks.join(', ')}`;
  }
};
