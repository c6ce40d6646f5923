import { type Claimable, ownTask } from './claim.ts';
import type { Worker } from './worker.ts';

/** What a message of a worker may be. Assignments, progress and acknowledgments are none: fields of tasks carry them. */
export const messageKinds = ['escalation', 'answer', 'wake'] as const;
export type MessageKind = (typeof messageKinds)[number];

/**
 * Why a message is not sent; `null`: it is. An escalation goes to the person in charge. An answer or a wake goes to one worker of the session: there is no
 * broadcast. The program itself gives out tasks and starts its workers, so that a wake serves one that another program runs: once, two minutes after it got
 * its task.
 */
export const refuseMessage = ({
  kind,
  to,
  worker,
  members,
  list,
  idleMs,
  woken,
}: {
  readonly kind: MessageKind;
  readonly to: string | null;
  readonly worker: string;
  readonly members: readonly (Worker & { readonly foreign: unknown })[];
  readonly list: readonly Claimable[];
  /** Milliseconds since the worker `to` got its task. */
  readonly idleMs: number;
  /** Workers that were woken for the task they have. */
  readonly woken: readonly string[];
}): string | null => {
  if (kind === 'escalation')
    return to === null ? null : 'an escalation goes to the person in charge: name no worker';
  if (to === null || /^(all|\*|everyone|broadcast)$/iu.test(to))
    return 'broadcasts are not supported: name one worker';
  if (to === worker) return 'you cannot message yourself';
  const member = members.find(({ name }) => name === to);
  if (member === undefined) return `unknown worker ${to}`;
  if (kind === 'answer') return null;
  if (member.foreign === null) return `the program starts ${to} itself when a task is free`;
  if (ownTask(list, member) === null) return `${to} has no task, and messages do not assign tasks`;
  if (woken.includes(to)) return `${to} has already been woken`;
  return idleMs < wakeAfterMs ? `${to} got its task less than 2 minutes ago` : null;
};

const wakeAfterMs = 120_000;
