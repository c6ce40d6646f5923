import type { Fault } from '../base/fault.ts';
import type { Settings } from '../session/settings.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import type { Role, SteerVerdict } from '../signals/signal.ts';
import type { Command, TaskDefinition } from '../tasks/task.ts';
import type { Outcome } from './outcome.ts';

/** `<role>-<n>`, unique in a session: `Executor-7`. */
export type InvocationId = string;

/** Every mode a role can be invoked in; an Executor has just one (engine.md, States). */
export type Mode =
  | 'INITIALIZE'
  | 'TASK_BREAKDOWN'
  | 'UPDATE'
  | 'REBREAKDOWN'
  | 'REBREAKDOWN_TASK'
  | 'brainstorm'
  | 'research'
  | 'feedback-analysis'
  | 'IMPLEMENT'
  | 'TASK_REVIEW'
  | 'SESSION_REVIEW'
  | 'STAGE'
  | 'PROMOTE';

/** A STEER or INFO that reached an invocation. */
export interface Message {
  readonly id: string;
  readonly kind: 'STEER' | 'INFO' | 'PAUSE' | 'RESUME' | 'RETRY';
  readonly text: string;
  readonly from?: string;
  readonly apply?: SteerVerdict;
}

/** Everything an invocation is told at its start; plain data, journaled with `invocation.started`. */
export interface Brief {
  readonly invocation: InvocationId;
  readonly role: Role;
  readonly mode: Mode;
  readonly session: string;
  readonly iteration: number;
  readonly cycle: number;
  readonly goal: string;
  /** When the invocation was started (ISO 8601, of its event): the date of what it writes, because a procedure has no clock. */
  readonly at?: string;
  /** Absolute paths. */
  readonly workspace: string;
  readonly sessionDirectory: string;
  /** Executor, TASK_REVIEW, REBREAKDOWN_TASK. */
  readonly task?: TaskDefinition;
  readonly attempt?: number;
  /** TASK_REVIEW: what the attempt under review changed, workspace-relative; the commit step attributes with it. */
  readonly changed?: readonly string[];
  /** All tasks of the iteration with their standing, for the roles that look at the whole. */
  readonly tasks: readonly TaskBrief[];
  /** Guidance of this iteration, a retry's feedback, what was queued while held. */
  readonly messages: readonly Message[];
  /** Where a paused invocation goes on, as its backend gave it. */
  readonly continuation?: unknown;
  /** PROMOTE: which staged files; absent = all. */
  readonly promote?: readonly string[];
  readonly settings: Settings;
}

export interface TaskBrief {
  readonly definition: TaskDefinition;
  readonly status: string;
  readonly attempts: number;
  readonly reason?: string;
}

/** What a checkpoint says. After anything but `go` the procedure returns at once. */
export type Directive =
  | { readonly kind: 'go'; readonly messages: readonly Message[] }
  | { readonly kind: 'pause' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'cancel'; readonly reason: string };

/** Progress an invocation reports while it works; the engine turns each into an event of the same name. */
export type RoleFact =
  | { readonly type: 'task.started' }
  | {
      readonly type: 'command.started';
      readonly index: number;
      readonly command: Command;
      readonly of: number;
      readonly purpose: 'run' | 'verify' | 'on_steer';
    }
  | {
      readonly type: 'process.started';
      readonly index: number;
      readonly pid: number;
      readonly start_time: string;
    }
  | {
      readonly type: 'command.ended';
      readonly index: number;
      readonly exit: string;
      readonly ok: boolean;
      readonly duration_ms: number;
    }
  | {
      readonly type: 'steer.decided';
      readonly id: string;
      readonly verdict: SteerVerdict | 'context' | 're-evaluated' | 'no answer';
      readonly evidence: string;
      readonly action: string;
    }
  | { readonly type: 'finding.noted'; readonly text: string };

/**
 * The narrow port of a role's procedure: it awaits nothing else, holds no timer and writes no file (engine.md, Roles). The engine
 * implements it over mailbox, journal and backend; tests implement it with scripts.
 */
export interface RolePort {
  readonly brief: Brief;
  /** Looks into the mailbox. STEER and INFO it returns are delivered; each STEER must be settled by a `steer.decided`. */
  checkpoint(id: CheckpointId): Promise<Directive>;
  /** One turn of the backend; `boundary` is the checkpoint to pass after every command or tool call inside the turn. */
  turn(ask: TurnAsk, boundary: CheckpointId | null): Promise<TurnResult>;
  emit(fact: RoleFact): void;
}

/** What a turn is asked to do. Scripted backends read `kind` and the brief; model backends read the prompt. */
export interface TurnAsk {
  readonly kind: string;
  readonly prompt: string;
  readonly messages: readonly Message[];
  /** Kind-specific plain data, e.g. the question to research. */
  readonly data?: unknown;
}

export type TurnResult =
  /** The backend's answer; the procedure checks it with a zod schema before it believes it. */
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'paused'; readonly continuation: unknown }
  | { readonly kind: 'stopped'; readonly why: 'abort' | 'cancel' }
  /** A turn without tool call, result or contract: no attempt is counted (engine.md, Failure policy). */
  | { readonly kind: 'no-result'; readonly raw: string }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly quotaUntil?: number };

/** A file an invocation made; the engine writes it before the end of the invocation is journaled. */
export interface Artifact {
  readonly root: 'session' | 'workspace';
  /** Relative to the root, checked to stay inside. */
  readonly path: string;
  readonly text: string;
  /** `create` never overwrites; `append` adds to what is there. */
  readonly write: 'create' | 'replace' | 'append';
}

/** How a role's procedure ends. */
export type RoleEnd =
  | {
      readonly kind: 'outcome';
      readonly outcome: Outcome;
      readonly artifacts: readonly Artifact[];
      readonly tasks?: readonly TaskDefinition[];
      readonly continuation?: unknown;
      readonly escalation?: string;
    }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly quotaUntil?: number }
  | { readonly kind: 'no-result'; readonly raw: string };

/** A role's procedure: one file each in `roles/`, joined in `roles/index.ts`. */
export type Procedure = (port: RolePort) => Promise<RoleEnd>;

/** Performs turns; knows nothing of sessions or mailboxes (engine.md, Backends). */
export interface Backend {
  readonly name: string;
  readonly label: string;
  /** One worker serves one invocation. */
  start(brief: Brief, host: BackendHost): Worker;
}

export interface Worker {
  turn(ask: TurnAsk, boundary: () => Promise<Directive>): Promise<TurnResult>;
  /** Stops what is running and resolves when verified; a turn under way then ends as `stopped`. */
  stop(why: 'abort' | 'cancel'): Promise<void>;
}

/** What the engine lends a worker. */
export interface BackendHost {
  emit(fact: RoleFact): void;
  /** Raw output for the attempt's log and the screen. */
  output(bytes: Uint8Array, stream: 'stdout' | 'stderr'): void;
}
