import { formatTimestamp } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import type { Redact } from '../base/redact.ts';
import type { JournalCut } from '../observability/journal.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import type { Consumer, Handling, Mailbox } from '../signals/mailbox.ts';
import type { EngineOptions } from './engine.ts';
import type { ControlFiles } from './guards/control-files.ts';
import type { OtherSessions } from './invocation/other-sessions.ts';
import type { SessionShadow } from './invocation/session-shadow.ts';
import type { Loop } from './loop.ts';
import type { Ledger } from './mailbox/ledger.ts';
import type { Screens } from './screens.ts';

/** The state and ports that the parts of one engine share. */
export interface Core {
  readonly options: EngineOptions;
  readonly loop: Loop;
  /** For what leaves the session: what agents are asked is never redacted. */
  readonly redact: Redact;
  readonly mailbox: Mailbox;
  readonly ledger: Ledger;
  /** The epoch of our lock. Also names the orchestrator's "invocation" among the recipients of a broadcast. */
  readonly epoch: number;
  readonly shadow: SessionShadow;
  /** Whether no other program has taken the session over. One `readdir`. */
  readonly isStillOurs: () => boolean;
  /** How the journal was cut since the last call, and is whole again; `null` when nobody cut it. */
  readonly takeCut: () => JournalCut | null;
  readonly others: OtherSessions;
  readonly screens: Screens;
  /** What git would have run before this program worked on the session. */
  readonly hooksAtStart: ControlFiles;
  /** Shows and journals a problem, once for each sentence. */
  problem(fault: Fault): void;
  /** Stops a session that cannot continue, with this sentence. */
  block(fault: Fault): void;
}

export const orchestrator = (core: Core): Consumer => ({
  agent: 'Orchestrator',
  invocation: String(core.epoch),
  task: null,
});

/** `<Agent>~<invocation>`, the name of a file in `acks/`. */
export const recipientOf = (consumer: Pick<Consumer, 'agent' | 'invocation'>): string =>
  `${consumer.agent}~${consumer.invocation}`;

/** The consumer and the checkpoint, in the archive's fields (seed 001, Processed File Schema). */
export const handlingOf = (
  core: Core,
  consumer: Consumer,
  checkpoint: CheckpointId,
  action: string,
  acks: readonly string[] = [],
): Handling => ({
  outcome: 'handled',
  handled_by: `Ralph-v2-${consumer.agent}`,
  handled_at: formatTimestamp(core.options.clock),
  action_taken: action,
  checkpoint,
  invocation: consumer.agent === 'Orchestrator' ? null : consumer.invocation,
  acks,
});
