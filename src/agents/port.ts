import type { Fault } from '../base/fault.ts';
import type { TaskPhase } from '../issues/task-list/task-phase.ts';
import type { Guidance } from '../session/guidance/guidance.ts';
import type { Settings } from '../session/settings.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import type { Role, SteerVerdict } from '../signals/signal.ts';
import type { TaskDefinition } from '../tasks/task.ts';
import type { CommandResult } from './command-result.ts';
import type { ModelBrief } from './model-brief.ts';
import type { Outcome } from './outcome.ts';
import type { PermissionAnswer, PermissionAsk } from './permissions.ts';
import type { RoleFact } from './role-fact.ts';
import type { AskedPerson, KnowledgeNote, PersonQuestion, StageAnswer, TaskUpdate } from './tool-inputs.ts';
import type { WaitingMail } from './waiting-mail.ts';

/** `<role>-<n>`, unique in a session: `Executor-7`. */
export type InvocationId = string;

/** Every mode a role can be invoked in; an Executor has just one (src/engine/README.md, States). */
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

/** A STEER or INFO delivered to an invocation. */
export interface Message {
  readonly id: string;
  readonly kind: 'STEER' | 'INFO' | 'PAUSE' | 'RESUME' | 'RETRY';
  readonly text: string;
  readonly from?: string;
  readonly apply?: SteerVerdict;
  /** An order that an earlier agent on the task took: it stands, and needs no verdict again. */
  readonly inForce?: true;
  /** Nothing proves who wrote it: agents get it as data (src/signals/README.md, rule 13). */
  readonly unproven?: true;
}

/** The complete input of an invocation at its start. Plain data, journaled with `invocation.started`. */
export interface Brief {
  readonly invocation: InvocationId;
  readonly role: Role;
  readonly mode: Mode;
  readonly session: string;
  readonly iteration: number;
  readonly cycle: number;
  readonly goal: string;
  /** The invocation's start (ISO 8601, of its event). Dates what it writes, because a procedure has no clock. */
  readonly at?: string;
  /** Absolute paths. */
  readonly workspace: string;
  readonly sessionDirectory: string;
  /** The working directory of an agent that plans or collects, where the merged work is outside the workspace. */
  readonly reads?: string;
  /** Executor, TASK_REVIEW, REBREAKDOWN_TASK. */
  readonly task?: TaskDefinition;
  readonly attempt?: number;
  /** Executor: why an earlier attempt failed, such as a command with its exit code. */
  readonly failedBefore?: string;
  /** TASK_REVIEW: the files that the attempt under review changed, workspace-relative. The commit step attributes by them. */
  readonly changed?: readonly string[];
  /** TASK_REVIEW: the verdict of the person who reviewed the attempt. The Reviewer records it instead of judging. */
  readonly verdict?: PersonVerdict;
  /** TASK_REVIEW: the attempt is merged, and `workspace` holds it together with what other tasks merged. */
  readonly merged?: true;
  /** TASK_REVIEW: the `verify` commands run now, and the review of a model or a person follows. */
  readonly verifies?: true;
  /** TASK_REVIEW: an agent judges, and a person decides where it leaves a success criterion unchecked. */
  readonly asks?: true;
  /** TASK_REVIEW: what they printed. */
  readonly verification?: readonly CommandResult[];
  /** IMPLEMENT: the task's `verify` commands may run unasked. */
  readonly mayVerify?: true;
  /** The phase of a flow. IMPLEMENT: the turn gives its result. */
  readonly phase?: TaskPhase;
  /** IMPLEMENT: the worker of a team that does it. */
  readonly worker?: string;
  /** The task works in a worktree of its own, and the merge commits its changes. */
  readonly isolated?: true;
  /** The number of its worktree (`RALPH_SLOT`): no other worktree of the repository has it meanwhile. */
  readonly slot?: number;
  /** The runner that it works on. Absent: this machine. */
  readonly runner?: string;
  /** All tasks of the iteration with their status, for the roles that look at the whole. */
  readonly tasks: readonly TaskBrief[];
  /** Guidance of this iteration, a retry's feedback, and messages queued during a hold. */
  readonly messages: readonly Message[];
  /** The person's prohibitions and preferences. Absent if there are none. */
  readonly guidance?: Guidance;
  /** Where a paused invocation continues, as its backend gave it. */
  readonly continuation?: unknown;
  /** PROMOTE: the staged files to promote. Absent: all. */
  readonly promote?: readonly string[];
  readonly settings: Settings;
  /** The part for models only. Absent for backends without one. */
  readonly model?: ModelBrief;
}

/** A person's verdict on an attempt. `text`: the words for the next attempt, with comments as `src/a.ts:12: text` on lines of their own. */
export interface PersonVerdict {
  readonly by: string;
  readonly accepted: boolean;
  readonly text: string;
}

export interface TaskBrief {
  readonly definition: TaskDefinition;
  readonly status: string;
  /** Mode `flow`: the worker of a team that has it. */
  readonly owner?: string;
  readonly attempts: number;
  readonly reason?: string;
  /** Mode `flow`: what the task brought about, with the keys of its phase. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/** The result of a checkpoint. After anything but `go` the procedure returns at once. */
export type Directive =
  | { readonly kind: 'go'; readonly messages: readonly Message[] }
  | { readonly kind: 'pause' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'cancel'; readonly reason: string };

/**
 * The narrow port of a role's procedure: it awaits nothing else, holds no timer and writes no file (src/engine/README.md, Roles). The engine implements it over
 * mailbox, journal and backend. Tests implement it with scripts.
 */
export interface RolePort {
  readonly brief: Brief;
  /** Reads the mailbox. STEER and INFO it returns count as delivered. Each STEER must be settled by a `steer.decided`. */
  checkpoint(id: CheckpointId): Promise<Directive>;
  /** Performs one turn of the backend. `boundary` is the checkpoint to pass after every command or tool call inside the turn. */
  turn(ask: TurnAsk, boundary: CheckpointId | null): Promise<TurnResult>;
  emit(fact: RoleFact): void;
}

/** The request of a turn. Script backends read `kind` and the brief. Model backends read the prompt. */
export interface TurnAsk {
  readonly kind: string;
  readonly prompt: string;
  readonly messages: readonly Message[];
  /** Kind-specific plain data, e.g. the question to research. */
  readonly data?: unknown;
}

export type TurnResult =
  /** The backend's answer. The procedure checks it with a zod schema before using it. */
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'paused'; readonly continuation: unknown }
  | { readonly kind: 'stopped'; readonly why: 'abort' | 'cancel' }
  /** A turn without tool call, result or contract. It does not count as an attempt (src/engine/README.md, Failure policy). */
  | NoResult
  | { readonly kind: 'failed'; readonly fault: Fault; readonly quotaUntil?: number | null };

/** `wrong` names each field of the answer that did not fit. */
export interface NoResult {
  readonly kind: 'no-result';
  readonly raw: string;
  readonly wrong?: readonly string[];
}

/** A file that an invocation made. The engine writes it before the journal records the invocation's end. */
export interface Artifact {
  readonly root: 'session' | 'workspace';
  /** Relative to the root. Checked to stay inside. */
  readonly path: string;
  readonly text: string;
  /** `create` never overwrites. `append` adds to the existing file. */
  readonly write: 'create' | 'replace' | 'append';
}

/** The end of a role's procedure. */
export type RoleEnd =
  | {
      readonly kind: 'outcome';
      readonly outcome: Outcome;
      readonly artifacts: readonly Artifact[];
      readonly tasks?: readonly TaskDefinition[];
      readonly continuation?: unknown;
      readonly escalation?: string;
    }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly quotaUntil?: number | null }
  | NoResult;

/** A role's procedure: one file each in `roles/`, collected in `roles/index.ts`. */
export type Procedure = (port: RolePort) => Promise<RoleEnd>;

/** Performs turns. Knows nothing of sessions or mailboxes (src/engine/README.md, Backends). */
export interface Backend {
  readonly name: string;
  readonly label: string;
  /** Present if a model does the work: it reads prompts and may have our tools. */
  readonly model?: {
    readonly tools: boolean;
    /** It asks before it edits or runs a command, so that a forbidden request is refused. */
    readonly asks?: true;
    /** Messages reach its agent while it works, without a call of our tools. */
    readonly hears?: true;
    /** Nobody reads its reply: its result is a call of `task_update`. */
    readonly updates?: true;
  };
  readonly onlyCommands?: true; // It cannot work on feedback in words.
  /** Starts a worker for one invocation. */
  start(brief: Brief, host: BackendHost): Worker;
  /** Starts an agent for work that is expected, and asks no model. Absent: its agents start with their work. */
  ahead?(expected: ExpectedWork, host: Pick<BackendHost, 'emit'>): void;
}

/** Work that follows, if all goes well. */
export interface ExpectedWork {
  /** Where and what it will be. The invocation is that of the work before it. */
  readonly brief: Brief;
  /** So many will work like that at one time: agents that wait or work already count. */
  readonly count: number;
  /** Aborts when the work before it has ended: from then on the agent waits only as long as one whose own work ended. */
  readonly until: AbortSignal;
}

export interface Worker {
  turn(ask: TurnAsk, boundary: () => Promise<Directive>): Promise<TurnResult>;
  /** Stops the running work and resolves once that is verified. A current turn then ends as `stopped`. */
  stop(why: 'abort' | 'cancel'): Promise<void>;
  /** Announces waiting mail. The worker delivers it now if its agent allows that, else at the next boundary. */
  notice?(mail: WaitingMail): void;
  /** The last line of the agent's own log, without secrets; '' where it wrote none. */
  lastWords?(): string;
  /** Ends a kept agent after the procedure's last turn. Resolves when it is gone. */
  end?(): Promise<void>;
  /** Its processes that `end` left: the agent alone, without a session, which waits for the next work or is ending. */
  kept?(): readonly number[];
}

/** The engine's services for a worker. */
export interface BackendHost {
  emit(fact: RoleFact): void;
  /** Raw output for the attempt's log and the screen. */
  output(bytes: Uint8Array, stream: 'stdout' | 'stderr'): void;
  /** A sign of life without fact or output: an agent thinks. */
  heard?(): void;
  /** Decides an agent's permission request: by the preset, by an earlier answer, or by a person. Never rejects. */
  permission?(ask: PermissionAsk, over: AbortSignal): Promise<PermissionAnswer>;
  /** Resolves when a hold begins or the invocation is stopped; at once if it is held already. */
  held?(): Promise<void>;
  /** Resolves when no hold is pending or the worker is stopped. Never rejects. */
  released?(): Promise<void>;
  /** The session's services for our tools. */
  readonly session?: SessionTools;
}

/** The session's part of the tools, which the engine lends to a worker (`BackendHost.session`). */
export interface SessionTools {
  /** The tasks of the iteration with their current status. */
  tasks(): Soon<readonly TaskBrief[]>;
  /** The report of a task's last attempt, or `null` if none was written. */
  report(task: string): Soon<string | null>;
  /** Stores the part of an update beside its outcome: a line for people, and facts for later tasks. */
  note(update: Pick<TaskUpdate, 'note' | 'metadata'>): void;
  /** Puts a question into the needs-you queue. The same text is the same question. */
  ask(question: PersonQuestion): AskedPerson;
  /** Stores a document for this iteration's knowledge gate. The same name replaces it. */
  stage(note: KnowledgeNote): Soon<StageAnswer>;
}

/** At once, or over a link to another machine. */
type Soon<T> = T | Promise<T>;
