import type { ProcessIdentity } from '../../base/process/spawn.ts';
import type { FlowRole } from '../task-list/task-phase.ts';
import type { ClaimAnswer } from './claim.ts';
import type { MessageKind } from './message-policy.ts';

/** A worker of another program that wants to join. */
export interface Knock {
  readonly role: FlowRole;
  /** The program's name for itself. */
  readonly program: string;
  /** The process that serves it. */
  readonly process: ProcessIdentity;
  /** With it the worker comes back after its connection broke. Only its hash is kept. */
  readonly key: string;
}

/** The name of the new worker, or why it is not let in. */
export type Knocked = { readonly worker: string } | { readonly refused: string };

/** The standing of a worker of another program in the team. */
export type Standing =
  /** A person has not decided yet. */
  | { readonly kind: 'waits'; readonly request: string }
  | { readonly kind: 'member'; readonly task: string | null }
  | { readonly kind: 'left'; readonly why: string };

/** The answer to a claim. `none`: no task was named, and none of its role is free; `isOver`: nor will one be. */
export type ClaimReply =
  | { readonly kind: 'standing'; readonly standing: Exclude<Standing, { kind: 'member' }> }
  | { readonly kind: 'held' }
  | { readonly kind: 'none'; readonly why: string; readonly isOver: boolean }
  | { readonly kind: 'answered'; readonly task: string; readonly answer: ClaimAnswer };

/** A message of a worker to another one, or to a person. */
export interface WorkerMessage {
  readonly kind: MessageKind;
  /** The name of a worker; `null`: the person in charge. */
  readonly to: string | null;
  readonly text: string;
}

/** What workers of other programs ask of a session. The engine implements it: each request is settled by its one writer. */
export interface Door {
  /** Makes it a worker that gets tasks once it is let in. */
  knock(asked: Knock): Knocked;
  /** Whether this worker has this key. */
  knows(worker: string, key: string): boolean;
  standing(worker: string): Standing;
  /** Compare-and-set on the task, or on the next one of its role. */
  claim(worker: string, task: string | null): ClaimReply;
  /** Gives its task back. A sentence: why not. */
  release(worker: string, reason: string): string | null;
  /** Sends and counts a message. A sentence: why it was refused, which counts too. */
  message(worker: string, message: WorkerMessage): string | null;
  /** It has a connection, until the returned end is called: then its process is looked for. */
  connect(worker: string): () => void;
  /** Looks whether the processes of all workers still run. */
  look(): void;
}
