import type { Fault } from '../base/fault.ts';
import type { ProcessIdentity } from '../base/process/spawn.ts';
import type { Redact } from '../base/redact.ts';
import type { Agent, PendingSignal, Signal } from './signal.ts';

/**
 * The mailbox protocol of src/signals/README.md over a `Disk`, usable from any process. `createMailbox` (`mailbox/create-mailbox.ts`) implements it. All calls
 * are synchronous. The engine's host uses every call; viewers use `publish`, `list`, `withdraw` and `peek` (rule 14).
 */
export interface Mailbox {
  /** Creates the directories, checks owner and mode, probes `link`. A fault is final for this session. */
  open(): Fault | null;
  /**
   * Rule 1. Returns only when the signal is durable in `inputs/`. Refused beyond 10,000 pending. `sign` writes the record that a person sends it
   * (rule 13), before any reader can see the file.
   */
  publish(signal: Signal, sign?: Sign): Published | Fault;
  /**
   * Rules 2, 3, 4, 12: the complete and readable signals of `inputs/`, in handling order (ABORT, then PAUSE first). Bounded: `more` means
   * that unread names are left for the next call. Two `readdir` when empty. The engine may reject the `spoiled` files now (10 s passed).
   */
  peek(): Peeked;
  /** Rule 6. `changed`: the signal was put back; peek again. */
  claim(pendingSignal: PendingSignal): Claim | 'lost' | 'changed';
  /** Rule 7, the second half: writes the text plus `handling_metadata` to `processed/`. Safe to repeat for the same claim. */
  archive(claim: Claim, handling: Handling): Fault | null;
  /** Puts a claimed signal back into `inputs/` under its original name (a recipient died before it acted). */
  putBack(claim: Claim): void;
  /** Moves an unusable file to `rejected/` with `<name>.error.txt`. */
  reject(file: string, reason: string): void;
  rejectClaim(claim: Claim, reason: string): void;
  /** Claims and archives as "withdrawn". When it is too late, the result names the process or agent that was faster. */
  withdraw(idOrFile: string, by: string): Withdrawn;
  /** Rule 8. The first freeze wins; every process reads the same recipients. */
  freeze(pendingSignal: PendingSignal, recipients: readonly Recipient[]): Broadcast;
  acknowledge(
    id: string,
    ack: Recipient & { readonly action: string; readonly at: string; readonly checkpoint: string },
  ): void;
  /** A recipient ended before it took the broadcast: struck as `ended`. */
  strike(id: string, recipient: Recipient): void;
  broadcast(id: string): Broadcast | null;
  /** Every frozen and not yet archived broadcast. */
  broadcasts(): readonly Broadcast[];
  /**
   * Rule 10: takes over the claims of dead owners; `remote` ones only with `takeOver`. `engines`: owners that held the session before us. The
   * holder of the session's lock knows that they have ended, on whatever machine.
   */
  recover(options: { readonly takeOver: boolean; readonly engines?: ReadonlySet<string> }): {
    readonly claims: readonly Claim[];
    readonly remote: readonly string[];
  };
  /** Removes the files of dead writers in `tmp/`. */
  sweepTemporary(): void;
  /** The ids of all claimed signals, of whatever claimer. */
  held(): ReadonlySet<string>;
  /** One signal in any directory of the mailbox; `null` when it no longer exists. */
  find(pendingSignal: Pick<PendingSignal, 'id' | 'file'>): MailboxEntry | null;
  /** All signals, for `signals list` and viewers. Never changes anything. */
  list(): readonly MailboxEntry[];
}

export interface Published {
  readonly id: string;
  readonly file: string;
}

/** Records who publishes a signal. A fault: it could not, and nothing is published. */
export type Sign = (published: Published, signal: Signal) => Fault | Signed;

/** `revoke`: the signal was not published after all, so the record proves nothing. */
export interface Signed {
  revoke(): void;
}

export interface Peeked {
  readonly pendingSignals: readonly PendingSignal[];
  readonly spoiled: readonly { readonly file: string; readonly reason: string }[];
  /** Files that look like scratch files: listed as a hint, left alone. */
  readonly hints: readonly string[];
  readonly pending: number;
  /** Milliseconds until every signal that may still be growing counts, if its writer adds nothing (rule 2); 0 without such signals. */
  readonly settlesInMs: number;
  readonly more: boolean;
  /** `claimed/` is not empty: the engine should `recover`. */
  readonly claimed: boolean;
  /** The mailbox itself is unusable now (`inputs/` is missing or replaced by a link). Nothing was read. */
  readonly problem: Fault | null;
}

export interface Claim extends PendingSignal {
  /** The bytes at the time of the claim. */
  readonly bytes: Uint8Array;
  /** The path of the claim: `claimed/<id16>~<owner>`. */
  readonly path: string;
}

/** The outcome of an archived signal. */
type HandlingOutcome = 'handled' | 'delivered' | 'undelivered' | 'withdrawn';

export interface Handling {
  readonly outcome: HandlingOutcome;
  /** As written in the file: `Ralph-v2-Executor`, or the name of the withdrawer. */
  readonly handled_by: string;
  readonly handled_at: string;
  /** The action, or for `undelivered` the reason why no agent got it. */
  readonly action_taken: string;
  readonly checkpoint: string;
  readonly invocation: string | null;
  readonly acks: readonly string[];
}

/** `<Agent>~<invocation>`; the orchestrator's invocation is its session epoch. */
export interface Recipient {
  readonly agent: Agent;
  readonly invocation: string;
}

export interface Broadcast {
  readonly id: string;
  readonly pendingSignal: PendingSignal;
  readonly recipients: readonly (Recipient & {
    readonly state: 'waiting' | 'acked' | 'ended';
    readonly action?: string;
  })[];
}

export type Withdrawn =
  | { readonly kind: 'withdrawn'; readonly id: string; readonly file: string }
  | { readonly kind: 'too-late'; readonly by: string; readonly stage: 'claimed' | 'processed' }
  /** The prefix matches more than one id: nothing was withdrawn. */
  | { readonly kind: 'ambiguous'; readonly files: readonly string[] }
  | { readonly kind: 'unknown' };

export interface MailboxEntry {
  readonly stage: 'pending' | 'claimed' | 'processed' | 'rejected';
  readonly id: string;
  readonly file: string;
  /** `null` when the file is not a readable signal. */
  readonly signal: Signal | null;
  readonly created_at: string | null;
  readonly handling: Handling | null;
  readonly acks: readonly string[];
  readonly error: string | null;
}

/** The polling consumer and its current work; `routing.ts` decides with it. */
export interface Consumer {
  readonly agent: Agent;
  readonly invocation: string;
  readonly task: string | null;
  /** Its name in a team. */
  readonly worker?: string | null;
  /** Commands check in the place of its agent, which reads no message now. */
  readonly standsIn?: boolean;
}

/** The context for routing a signal (rules 5, 8, 9). */
export interface RoutingContext {
  readonly iteration: number;
  readonly state: string;
  /** Whether the message is for an ended session, in which no agent works unless a task is opened again or feedback comes. */
  readonly isForEnded: (id: string) => boolean;
  readonly held: boolean;
  /** Whether work waits for a time: a used-up quota, or the next try of a failed call. */
  readonly waitsForTime: boolean;
  /** Whether a message was already pending when the hold began: its `resume: true` was meant for another hold, or for none. */
  readonly cameBefore: (id: string) => boolean;
  readonly gateOpen: boolean;
  /** Whether a person set the hold, or the engine waits for one in it. */
  readonly heldByPerson: boolean;
  /** Whether this request is open and is not an agent's own question: the gate of the plan, a review, a merge. */
  readonly isForPerson: (request: string) => boolean;
  readonly running: readonly (Recipient & {
    /** Absent: unknown. */
    readonly mode?: string;
    readonly task: string | null;
    readonly worker?: string | null;
    /** When an agent that replies gets a message. Absent: at its next checkpoint. */
    readonly gets?: Readonly<Record<'STEER' | 'INFO' | 'now', string>>;
  })[];
  /** Tasks that will not run again. */
  readonly settled: readonly string[];
  /** Workers that left the team. */
  readonly left?: readonly string[];
}

/** The routing of one pending signal for one consumer at one checkpoint. */
export type Routing =
  | { readonly kind: 'take' }
  /** A broadcast: freeze, take our part, acknowledge. */
  | { readonly kind: 'share' }
  /**
   * Stays in `inputs/`. `endsHold`: the session is held and the message has `resume: true`, so the hold must end (`hold.ended` with this id). The
   * signal is then delivered like every queued one.
   */
  | { readonly kind: 'leave'; readonly waitsFor: string; readonly endsHold?: true }
  /** Stays in `inputs/` until a person confirms it: it decides, and nothing proves its author (rule 13). */
  | { readonly kind: 'unproven'; readonly waitsFor: string }
  /** Permanently unusable: archived with this sentence ("ignored: for iteration 1", "not held"). `undelivered`: no addressee will read it. */
  | { readonly kind: 'archive'; readonly action: string; readonly outcome: HandlingOutcome }
  | { readonly kind: 'reject'; readonly reason: string };

export interface MailboxOptions {
  /** `<session>/signals` */
  readonly directory: string;
  readonly owner: ProcessIdentity;
  readonly isAlive: (identity: ProcessIdentity) => 'alive' | 'dead' | 'unknown';
  /** SHA-256 in hexadecimal (`sha256` of `base/hash.io.ts`): handed in, because this folder is pure. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Removes secrets from permanent copies: archives, acks, rejected files. Without it they stay unchanged. */
  readonly redact?: Redact;
  /** Spends the record of a person, before the signal is archived or rejected (rule 13). Absent: there are no records. */
  readonly spend?: (id: string) => void;
}
