import type { Outcome } from '../agents/outcome.ts';
import type { InvocationId, Message, Mode } from '../agents/port.ts';
import type { Fault } from '../base/fault.ts';
import type { Guidance } from '../session/guidance/guidance.ts';
import type { Settings } from '../session/settings.ts';
import type { PlanItem, SessionMode, SessionStatus, StateName } from '../session/status.ts';
import type { Role, Signal } from '../signals/signal.ts';
import type { SignalStage } from '../signals/signal-stage.ts';
import type { TaskDefinition, TaskId, TaskStatus } from '../tasks/task.ts';
import type { LiveAgent } from './agents/live-agent.ts';
import type { RunnerState } from './agents/runner-state.ts';
import type { Spending } from './agents/spending.ts';
import type { UsedUp } from './agents/used-up.ts';
import type { Changes } from './changes/changes-state.ts';
import type { TaskChanges } from './changes/task-changes.ts';
import type { FailureCause } from './events/failure-cause.ts';
import type { StartFlags } from './events/session.ts';
import type { FlowState } from './modes/flow/flow-state.ts';
import type { LoopState } from './modes/loop/turn-record.ts';
import type { Permissions } from './open-permission.ts';
import type { Question } from './questions/question.ts';
import type { Earlier, EndedTimes, TaskTimes } from './scheduling/task-times.ts';
import type { SessionTimes } from './session-times.ts';
import type { ScheduledRetry } from './slot.ts';

/** The whole session, folded from its events by `evolve` alone. Plain data: a replayed journal gives the value of the live run (invariant 5). */
export interface SessionState extends Permissions, SessionTimes, Changes {
  readonly session: string;
  readonly workspace: string;
  readonly goal: string;
  readonly created: string;
  readonly settings: Settings;
  /** Flags of the last start, which a resume keeps. */
  readonly startFlags: StartFlags;
  /** True while a person watches. Decides the default of the knowledge gate's deadline. */
  readonly attended: boolean;
  /** Cores of the machine that runs it. */
  readonly cores: number;
  readonly iteration: number;
  /** The mode of the session; never changes. */
  readonly mode: SessionMode;
  readonly state: StateName;
  readonly previous: StateName | null;
  /** The first level of the graph with a task that is not over, counted from 1. Nothing waits for one. */
  readonly wave: number | null;
  /** What may start now, in that order, and what has started and not returned. EXECUTING_BATCH lasts while there is any. */
  readonly batch: readonly TaskId[];
  /** Invocations started since the state was entered. Separates "before each invocation" from "between tasks". */
  readonly startedHere: number;
  readonly status: SessionStatus;
  readonly stopReason: string | null;
  /** True while an engine hosts the session, from `session.started` to `session.stopped`. */
  readonly running: boolean;
  readonly host: { readonly pid: number; readonly epoch: number } | null;
  readonly hold: Hold | null;
  readonly abort: {
    readonly by: string;
    readonly signal: string | null;
    readonly since: string;
    readonly stopped: boolean;
  } | null;
  /** Set when the session shall stop after running work has ended; nothing new starts. */
  readonly drain: Drain | null;
  readonly gate: Gate | null;
  /** The decision at this iteration's knowledge gate. */
  readonly decision: GateDecision | null;
  /** True when this iteration's plan has passed its gate. */
  readonly planApproved: boolean;
  readonly planItems: ReadonlyMap<PlanItem, PlanItemState>;
  readonly cycle: number;
  /** Questions raised by the last research. Another planning cycle answers them. */
  readonly newQuestions: number;
  /** In the order of their definition. */
  readonly tasks: ReadonlyMap<TaskId, TaskState>;
  /** Running, paused, or ended and not yet settled. */
  readonly invocations: ReadonlyMap<InvocationId, Invocation>;
  readonly invocationsStarted: number;
  /** Executor starts in the whole session, for `limits.max_attempts_total`. */
  readonly attemptsTotal: number;
  readonly earlier: Earlier;
  readonly ended: EndedTimes;
  /** What agents used, by the agent's own session. */
  readonly spending: Spending;
  /** STEER and INFO to ALL for every later invocation of this iteration, once per signal id. */
  readonly standing: readonly Message[];
  /** What a person wanted changed at the gate of this iteration's plan, for every later Planner. */
  readonly planWords: readonly Message[];
  /** The person's bans and preferences: the copy in force while this program runs. */
  readonly guidance: Guidance;
  /** Pending and settled signals, newest last. Settled ones are kept for the screen's Processed pane. */
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
  /** Feedback directories of the next iteration, found after COMPLETE. */
  readonly feedback: readonly string[];
  /** True while a start after COMPLETE waits for `feedback.found`. */
  readonly lookingForFeedback: boolean;
  /** True when a task was reopened after COMPLETE. */
  readonly reopened: boolean;
  /** True when a RETRY at this start opened the ended session again. */
  readonly openedAgain: boolean;
  readonly problems: readonly Fault[];
  readonly snapshots: ReadonlyMap<string, string>;
  /** Retries that are not due yet, by slot. */
  readonly retries: ReadonlyMap<string, ScheduledRetry>;
  /** Other machines that work for the session, by name. */
  readonly runners: ReadonlyMap<string, RunnerState>;
  /** Consecutive turns without result, by slot. Two of them ask a person. */
  readonly noResults: ReadonlyMap<string, number>;
  /** What a person said to an invocation that was lost, by slot, for the one that does its work again. */
  readonly lostWords: ReadonlyMap<string, readonly Message[]>;
  /** Dispatch waits until then, because an agent's quota is used up. */
  readonly quotaUntil: number | null;
  /** Agents whose quota is used up, by name. */
  readonly usedUp: ReadonlyMap<string, UsedUp>;
  /** True when `limits.max_duration` has run out. */
  readonly timeUp: boolean;
  /** The reached limit, as a sentence. The session stops when all invocations are paused. */
  readonly limit: string | null;
  /** Messages of PAUSE and RESUME that no prompt has carried yet. Invocations that continue or start after the hold get them. */
  readonly resumeMessages: readonly Message[];
  readonly loop: LoopState | null;
  readonly flow: FlowState | null;
  readonly seq: number;
  readonly at: string;
}

interface Hold {
  readonly stage: 'pausing' | 'paused';
  readonly since: string;
  readonly by: string;
  readonly signal: string | null;
  readonly message: string | null;
  readonly processes: number;
}

interface Drain {
  readonly by: string;
  readonly signal: string | null;
  readonly since: string;
}

interface Gate {
  readonly gate: 'knowledge' | 'plan';
  readonly iteration: number;
  readonly opened: string;
  readonly deadlineMs: number | null;
  readonly files: readonly string[];
  /** True when the deadline has passed. */
  readonly expired: boolean;
}

export interface GateDecision {
  readonly decision: 'approve' | 'skip' | 'carry' | 'abort';
  readonly by: string;
  readonly message: string | null;
  /** The files of an APPROVE for a selection; null = all. */
  readonly files: readonly string[] | null;
}

export interface PlanItemState {
  readonly mark: 'open' | 'running' | 'done' | 'cancelled';
  readonly note: string | null;
}

export interface TaskState extends TaskChanges, TaskTimes {
  readonly definition: TaskDefinition;
  readonly status: TaskStatus;
  /** The iteration in which it got its status: an `[x]` carried over keeps its old number. */
  readonly iteration: number;
  /** Number of Executor starts, which is the number of the current or last attempt. */
  readonly attempt: number;
  /** Outcomes that count against `retries.max_attempts`. */
  readonly failures: number;
  /** Consecutive crashes without progress. */
  readonly crashes: number;
  readonly owner: string | null;
  readonly reason: string | null;
  /** Of its last failure. */
  readonly cause: FailureCause | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When the last attempt submitted its work; `null` before that. */
  readonly submittedAt: string | null;
  /** Milliseconds since `startedAt` in which its work stood: paused, or until a person answered its Executor. */
  readonly heldMs: number;
  /** Messages for the next attempt: a reviewer's feedback, a retry's message, an escalation. */
  readonly feedback: readonly Message[];
  /** A person's orders that an agent on the task took: for every later one, until the person takes them back. */
  readonly orders: readonly Message[];
  /** Why the task waits for the Planner: it was escalated or is exhausted. */
  readonly replan: string | null;
  /** Number of requests to plan it again. */
  readonly replans: number;
  /** True when its file was not found. */
  readonly definitionMissing: boolean;
}

export interface Invocation {
  readonly id: InvocationId;
  readonly role: Role;
  readonly mode: Mode;
  readonly backend: string;
  /** The agent whose work it does, because that one's quota is used up. */
  readonly insteadOf: string | null;
  /** The runner that it works on; `null`: this machine. */
  readonly runner: string | null;
  /** Which runner of a pool has it, and since when, ISO 8601; `null`: none, or it is no pool. */
  readonly claim: { readonly number: number; readonly at: string } | null;
  /** The worker of a team that does it; `null`: none. */
  readonly worker: string | null;
  readonly cycle: number;
  readonly task: TaskId | null;
  readonly attempt: number | null;
  readonly item: PlanItem | null;
  readonly promote: readonly string[] | null;
  readonly stage: 'running' | 'paused' | 'ended' | 'failed' | 'interrupted';
  readonly startedAt: string;
  /** Milliseconds in which it stood, excluded from `timeouts.task_wip_minutes`. `standsSince`: start of the open part, ISO 8601. */
  readonly heldMs: number;
  readonly standsSince: string | null;
  /** True when its task was reset, cancelled or edited during the run. Its result is dropped. */
  readonly stale: boolean;
  /** A review in a shared tree beside which others worked. */
  readonly disturbed: boolean;
  readonly checkpoint: string | null;
  /** Its agent waits in a permission until the hold is over, though the answer is known. */
  readonly heldInPermission: boolean;
  /** The commands that a person allowed it. */
  readonly allowed: readonly string[];
  readonly messages: readonly Message[];
  /** Which of its orders the person took back while it worked, in words for its agent. */
  readonly takenBack: readonly Message[];
  readonly continuation: unknown;
  readonly outcome: Outcome | null;
  readonly definedTasks: readonly TaskDefinition[] | null;
  readonly escalation: string | null;
  /** The id of the STEER that redefined its task. */
  readonly escalatedBy: string | null;
  readonly failure: {
    readonly kind: 'call' | 'no-result' | 'timeout' | 'stall' | 'quota';
    readonly fault: Fault;
    readonly until: number | null;
  } | null;
  readonly interruption: 'crash' | 'quit' | 'abort' | 'cancel' | 'retry' | null;
  /** The running command, for the now line. */
  readonly command: {
    readonly index: number;
    readonly of: number;
    readonly text: string;
    readonly since: string;
    readonly pid: number | null;
  } | null;
  /** How many of its commands follow the last one that began. `null` before the first, and while its worktree is set up. */
  readonly commandsLeft: number | null;
  readonly agent: LiveAgent | null;
}

export interface SignalLife {
  readonly id: string;
  readonly file: string;
  readonly signal: Signal;
  readonly stage: SignalStage;
  readonly since: string;
  readonly waitsFor: string | null;
  /** It waits for a person to confirm it: it decides, and nothing proves its author. */
  readonly unproven: boolean;
  readonly queued: boolean;
  /** It was sent to the ended session before a RETRY opened that again: nobody takes it. */
  readonly isSetAside?: true;
  readonly checkpoint: string | null;
  readonly handledBy: string | null;
  readonly action: string | null;
  /** The question that an ANSWER settled. The session drops questions of its iteration at its end. */
  readonly question: Pick<Question, 'kind' | 'text'> | null;
  /** How the signal was delivered, by recipient. */
  readonly recipients: ReadonlyMap<string, string>;
}
