import type { Outcome } from '../agents/outcome.ts';
import type { InvocationId, Message, Mode } from '../agents/port.ts';
import type { Fault } from '../base/fault.ts';
import type { Settings } from '../session/settings.ts';
import type { PlanItem, SessionStatus, StateName } from '../session/status.ts';
import type { Role, Signal } from '../signals/signal.ts';
import type { TaskDefinition, TaskId, TaskStatus } from '../tasks/task.ts';
import type { Effect } from './effect.ts';

/**
 * All that a session is, folded from its events by `evolve` and nothing else. Plain data, so that a journal replayed gives the same
 * value as the live run (architecture.md, invariant 5).
 */
export interface SessionState {
  readonly session: string;
  readonly workspace: string;
  readonly goal: string;
  readonly created: string;
  readonly settings: Settings;
  /** A person watches: decides the default of the knowledge gate's deadline. */
  readonly attended: boolean;
  readonly iteration: number;
  readonly state: StateName;
  readonly previous: StateName | null;
  /** Counts from 1. */
  readonly wave: number | null;
  /** Tasks of the chosen wave that have not come back yet: the barrier of EXECUTING_BATCH. */
  readonly batch: readonly TaskId[];
  /** Invocations started since the state was entered: tells "before each invocation" from "between tasks". */
  readonly startedHere: number;
  readonly status: SessionStatus;
  readonly stopReason: string | null;
  /** An engine hosts the session: between `session.started` and `session.stopped`. */
  readonly running: boolean;
  readonly host: { readonly pid: number; readonly epoch: number } | null;
  readonly hold: Hold | null;
  readonly abort: {
    readonly by: string;
    readonly signal: string | null;
    readonly since: string;
    readonly stopped: boolean;
  } | null;
  readonly gate: Gate | null;
  /** What came of the knowledge gate of this iteration. */
  readonly decision: GateDecision | null;
  /** The plan of this iteration passed its gate. */
  readonly planApproved: boolean;
  readonly planItems: ReadonlyMap<PlanItem, PlanItemState>;
  readonly cycle: number;
  /** Questions the last research raised: another planning cycle answers them. */
  readonly newQuestions: number;
  /** In the order they were defined. */
  readonly tasks: ReadonlyMap<TaskId, TaskState>;
  /** Running, paused, or ended and not settled yet. */
  readonly invocations: ReadonlyMap<InvocationId, Invocation>;
  readonly invocationsStarted: number;
  /** Executor starts of the whole session, for `limits.max_attempts_total`. */
  readonly attemptsTotal: number;
  /** STEER and INFO to ALL that every later invocation of this iteration is told, once per signal id. */
  readonly guidance: readonly Message[];
  /** Signals in flight or at rest, newest last; final ones are kept too (the screen's Processed pane). */
  readonly signals: ReadonlyMap<string, SignalLife>;
  readonly questions: ReadonlyMap<string, Question>;
  readonly knowledge: {
    readonly staged: readonly string[];
    readonly carried: readonly string[];
    readonly promoted: readonly string[];
  };
  readonly review: {
    readonly assessment: string;
    readonly goalsAchieved: boolean;
    readonly gaps: readonly string[];
  } | null;
  /** Feedback directories of the next iteration that were found after COMPLETE. */
  readonly feedback: readonly string[];
  /** A start after COMPLETE waits for `feedback.found`. */
  readonly lookingForFeedback: boolean;
  /** A task was opened again after COMPLETE. */
  readonly reopened: boolean;
  readonly problems: readonly Fault[];
  readonly snapshots: ReadonlyMap<string, string>;
  /** Retries that wait for their moment, by key. */
  readonly retries: ReadonlyMap<
    string,
    { readonly atMs: number; readonly tries: number; readonly fired: boolean }
  >;
  /** Turns in a row that ended without result, by the same key; two ask a person. */
  readonly noResults: ReadonlyMap<string, number>;
  /** Dispatch is held until then because an agent's quota is used up. */
  readonly quotaUntil: number | null;
  /** `limits.max_duration` has run out. */
  readonly timeUp: boolean;
  /** The limit that was reached, as a sentence: the session stops when all are paused. */
  readonly limit: string | null;
  /** PAUSE and RESUME of the last hold, told to the invocations that go on after it. */
  readonly resumeMessages: readonly Message[];
  readonly seq: number;
  readonly at: string;
  /** How long programs have run it before this one; what lies between a stop and a resume is nobody's time. */
  readonly spentMs: number;
  /** When the last program that ran it began, ISO 8601; '' before that. */
  readonly startedAt: string;
}

export interface Hold {
  readonly stage: 'pausing' | 'paused';
  readonly since: string;
  readonly by: string;
  readonly signal: string | null;
  readonly message: string | null;
  readonly processes: number;
}

export interface Gate {
  readonly gate: 'knowledge' | 'plan';
  readonly iteration: number;
  readonly opened: string;
  readonly deadlineMs: number | null;
  readonly files: readonly string[];
  /** The deadline has passed. */
  readonly expired: boolean;
}

export interface GateDecision {
  readonly decision: 'approve' | 'skip' | 'carry' | 'abort';
  readonly by: string;
  readonly message: string | null;
  /** APPROVE of a selection; null = all. */
  readonly files: readonly string[] | null;
}

export interface PlanItemState {
  readonly mark: 'open' | 'running' | 'done' | 'cancelled';
  readonly note: string | null;
}

export interface TaskState {
  readonly definition: TaskDefinition;
  readonly status: TaskStatus;
  /** The iteration the status was earned in: an `[x]` carried over keeps its old number. */
  readonly iteration: number;
  /** Executor starts so far; the number of the current or last attempt. */
  readonly attempt: number;
  /** Outcomes that count against `retries.max_attempts`. */
  readonly failures: number;
  /** Crashes in a row without progress. */
  readonly crashes: number;
  readonly owner: string | null;
  readonly reason: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When the last attempt handed its work in; `null` before that. */
  readonly submittedAt: string | null;
  /** How much of the time since `startedAt` its work was held (`PAUSE`). */
  readonly heldMs: number;
  /** Files that its attempts changed since it was last done. */
  readonly changed: readonly string[];
  /** Why its changes could not be committed though it is done; `null` when they were, or nobody wanted it. */
  readonly uncommitted: string | null;
  /** What the next attempt is told: a reviewer's feedback, a retry's message, an escalation. */
  readonly feedback: readonly Message[];
  /** An escalated or exhausted task that waits for the Planner. */
  readonly replan: string | null;
  /** How often the Planner has been asked to. */
  readonly replans: number;
  /** Its file was not found. */
  readonly definitionMissing: boolean;
}

export interface Invocation {
  readonly id: InvocationId;
  readonly role: Role;
  readonly mode: Mode;
  readonly backend: string;
  readonly cycle: number;
  readonly task: TaskId | null;
  readonly attempt: number | null;
  readonly item: PlanItem | null;
  readonly promote: readonly string[] | null;
  readonly stage: 'running' | 'paused' | 'ended' | 'failed' | 'interrupted';
  readonly startedAt: string;
  /** Time spent held, excluded from `timeouts.task_wip_minutes`. */
  readonly heldMs: number;
  readonly pausedAt: string | null;
  /** Its task was reset, cancelled or edited while it ran: whatever it brings is dropped. */
  readonly stale: boolean;
  readonly checkpoint: string | null;
  readonly messages: readonly Message[];
  readonly continuation: unknown;
  readonly outcome: Outcome | null;
  readonly definedTasks: readonly TaskDefinition[] | null;
  readonly escalation: string | null;
  readonly failure: {
    readonly kind: 'call' | 'no-result' | 'timeout' | 'stall' | 'quota';
    readonly fault: Fault;
    readonly until: number | null;
  } | null;
  readonly interruption: 'crash' | 'quit' | 'abort' | 'cancel' | 'retry' | null;
  /** The command under way, for the now line. */
  readonly command: {
    readonly index: number;
    readonly of: number;
    readonly text: string;
    readonly since: string;
    readonly pid: number | null;
  } | null;
  readonly commandsDone: number;
}

export interface SignalLife {
  readonly id: string;
  readonly file: string;
  readonly signal: Signal;
  readonly stage: 'pending' | 'claimed' | 'delivered' | 'handled' | 'rejected' | 'undelivered' | 'withdrawn';
  readonly since: string;
  readonly waitsFor: string | null;
  readonly queued: boolean;
  readonly checkpoint: string | null;
  readonly handledBy: string | null;
  readonly action: string | null;
  /** `recipient` → how it was delivered. */
  readonly recipients: ReadonlyMap<string, string>;
}

export interface Question {
  readonly request: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly asked: string;
  readonly invocation: InvocationId | null;
  readonly answer: string | null;
  readonly answeredBy: string | null;
}

/** What `decide` gives back for one event. */
export interface Decision {
  readonly state: SessionState;
  readonly effects: readonly Effect[];
}
