import type { Fault } from '../base/fault.ts';
import type { Redact } from '../base/redact.ts';
import type { ProcessIdentity } from '../base/spawn.ts';
import type { Agent, Letter, Signal, SignalType } from './signal.ts';

/**
 * The mailbox protocol of signals.md over a `Disk`; usable from any process. `createMailbox` (`mailbox-*.ts`) implements it; all calls are
 * synchronous. Whoever hosts the engine uses every call; viewers use `publish`, `list`, `withdraw` and `peek` (rule 14).
 */
export interface Mailbox {
  /** Makes the directories, checks owner and mode, probes `link`; a fault is final for this session. */
  open(): Fault | null;
  /** Rule 1. Returns only when the signal is durable in `inputs/`. Refused beyond 10,000 pending. */
  publish(signal: Signal): Published | Fault;
  /**
   * Rules 2, 3, 4, 12: what lies in `inputs/`, whole and readable, in the order it is to be handled (ABORT, then PAUSE first). Bounded: `more` says
   * that unread names are left for the next call. Two `readdir` when nothing is there. `spoiled` is what the engine may reject now (10 s passed).
   */
  peek(): Peeked;
  /** Rule 6. `changed`: put back, peek again. */
  claim(letter: Letter): Claim | 'lost' | 'changed';
  /** Rule 7, the second half: writes the text plus `handling_metadata` to `processed/`; safe to call again for the same claim. */
  archive(claim: Claim, handling: Handling): Fault | null;
  /** Puts a claimed signal back into `inputs/` under its own name (a recipient died before it acted). */
  putBack(claim: Claim): void;
  /** Moves an unusable file to `rejected/` with `<name>.error.txt`. */
  reject(file: string, reason: string): void;
  rejectClaim(claim: Claim, reason: string): void;
  /** Claims and archives as "withdrawn"; tells who was faster when it is too late. */
  withdraw(idOrFile: string, by: string): Withdrawn;
  /** Rule 8. The first freeze wins; everybody reads the same recipients. */
  freeze(letter: Letter, recipients: readonly Recipient[]): Broadcast;
  acknowledge(
    id: string,
    ack: Recipient & { readonly action: string; readonly at: string; readonly checkpoint: string },
  ): void;
  /** A recipient ended before it took the broadcast: struck as `ended`. */
  strike(id: string, recipient: Recipient): void;
  broadcast(id: string): Broadcast | null;
  /** Every frozen broadcast that is not archived yet. */
  broadcasts(): readonly Broadcast[];
  /**
   * Rule 10: claims of dead owners, taken over by us; `remote` ones only with `takeOver`. `engines`: owners that held the session before us. Whoever has
   * its lock knows that they are gone, on whatever machine they were.
   */
  recover(options: { readonly takeOver: boolean; readonly engines?: ReadonlySet<string> }): {
    readonly claims: readonly Claim[];
    readonly remote: readonly string[];
  };
  /** Removes what dead writers left in `tmp/`. */
  sweepTemporary(): void;
  /** One signal wherever it is now; `null` when nothing is left of it. */
  find(letter: Pick<Letter, 'id' | 'file'>): MailboxEntry | null;
  /** Everything, for `signals list` and viewers; never changes anything. */
  list(): readonly MailboxEntry[];
}

export interface Published {
  readonly id: string;
  readonly file: string;
}

export interface Peeked {
  readonly letters: readonly Letter[];
  readonly spoiled: readonly { readonly file: string; readonly reason: string }[];
  /** Files that look like somebody's scratch file: listed as a hint, left alone. */
  readonly hints: readonly string[];
  readonly pending: number;
  /** Milliseconds until every signal that was seen and is perhaps still being written counts, if nobody writes on (rule 2); 0 where none is. */
  readonly settlesInMs: number;
  readonly more: boolean;
  /** `claimed/` is not empty: the engine should `recover`. */
  readonly claimed: boolean;
  /** The mailbox itself is unusable just now (`inputs/` gone or replaced by a link); nothing was read. */
  readonly problem: Fault | null;
}

export interface Claim extends Letter {
  /** The bytes as they were claimed. */
  readonly bytes: Uint8Array;
  /** Where the claim lies: `claimed/<id16>~<owner>`. */
  readonly path: string;
}

export interface Handling {
  /** As it stands in the file: `Ralph-v2-Executor`, or who withdrew it. */
  readonly handled_by: string;
  readonly handled_at: string;
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
  readonly letter: Letter;
  readonly recipients: readonly (Recipient & {
    readonly state: 'waiting' | 'acked' | 'ended';
    readonly action?: string;
  })[];
}

export type Withdrawn =
  | { readonly kind: 'withdrawn'; readonly id: string; readonly file: string }
  | { readonly kind: 'too-late'; readonly by: string; readonly stage: 'claimed' | 'processed' }
  /** The beginning of more than one id: nothing was taken back. */
  | { readonly kind: 'ambiguous'; readonly files: readonly string[] }
  | { readonly kind: 'unknown' };

export interface MailboxEntry {
  readonly stage: 'pending' | 'claimed' | 'processed' | 'rejected';
  readonly id: string;
  readonly file: string;
  /** `null` where it cannot be read as a signal. */
  readonly signal: Signal | null;
  readonly created_at: string | null;
  readonly handling: Handling | null;
  readonly acks: readonly string[];
  readonly error: string | null;
}

/** Who asks, and what that consumer may take now; `routing.ts` decides with it. */
export interface Consumer {
  readonly agent: Agent;
  readonly invocation: string;
  readonly task: string | null;
}

/** What routing looks at beside the signal (rules 5, 8, 9). */
export interface RoutingContext {
  readonly iteration: number;
  readonly state: string;
  readonly held: boolean;
  /** Whether a message waited already when the hold began: its `resume: true` was meant for another one, or for none. */
  readonly cameBefore: (id: string) => boolean;
  readonly gateOpen: boolean;
  readonly running: readonly (Recipient & { readonly task: string | null })[];
  /** Tasks that will not run again. */
  readonly settled: readonly string[];
}

/** What one consumer does with one letter at one checkpoint. */
export type Routing =
  | { readonly kind: 'take' }
  /** A broadcast: freeze, take our part, acknowledge. */
  | { readonly kind: 'share' }
  /**
   * Stays in `inputs/`. `endsHold`: the session is held and the message says `resume: true`: end the hold (`hold.ended` with this id); the letter is
   * then delivered like everything that was queued.
   */
  | { readonly kind: 'leave'; readonly waitsFor: string; readonly endsHold?: true }
  /** Can never be used: archived with this sentence ("ignored: for iteration 1", "not held"). `undelivered`: nobody it was for will read it. */
  | { readonly kind: 'archive'; readonly action: string; readonly undelivered?: true }
  | { readonly kind: 'reject'; readonly reason: string };

/** One signal type: one file in `kinds/`, one line in `kinds/index.ts`. */
export interface SignalKind {
  readonly type: SignalType;
  /** `universal`: direct pollers; `session`: the first of the session's pollers to see it; `gate`: only while knowledge waits. */
  readonly category: 'universal' | 'session' | 'gate';
  /** One line for help and compose. */
  readonly description: string;
  /** What is wrong with a signal of this type beyond the common schema, or null. */
  readonly check: (signal: Signal) => string | null;
  /** May be left to `ALL` and to roles, or only to the session as a whole. */
  readonly reaction:
    | 'message'
    | 'hold'
    | 'resume'
    | 'abort'
    | 'approve'
    | 'skip'
    | 'retry'
    | 'cancel'
    | 'answer'
    | 'set';
}

export interface MailboxOptions {
  /** `<session>/signals` */
  readonly directory: string;
  readonly owner: ProcessIdentity;
  readonly isAlive: (identity: ProcessIdentity) => 'alive' | 'dead' | 'unknown';
  /** SHA-256 in hexadecimal (`sha256` of `base/hash.io.ts`): handed in, because this folder is pure. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Takes secrets out of what stays: archives, acks, rejected copies. Without it they stay as they came. */
  readonly redact?: Redact;
}
