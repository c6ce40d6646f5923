import { formatTimestamp } from '../base/clock.ts';
import type { Fault } from '../base/fault.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import type { Consumer, Handling, Mailbox } from '../signals/mailbox.ts';
import type { EngineOptions } from './engine.ts';
import type { Ledger } from './ledger.ts';
import type { Loop } from './loop.ts';

/** What the parts of one engine share. */
export interface Core {
  readonly options: EngineOptions;
  readonly loop: Loop;
  readonly mailbox: Mailbox;
  readonly ledger: Ledger;
  /** The epoch of our lock; also the orchestrator's "invocation" among the recipients of a broadcast. */
  readonly epoch: number;
  /** Shown and journaled, once for the same sentence. */
  problem(fault: Fault): void;
  /** The session cannot go on: it stops with this sentence. */
  block(fault: Fault): void;
}

export const orchestrator = (core: Core): Consumer => ({
  agent: 'Orchestrator',
  invocation: String(core.epoch),
  task: null,
});

/** `<Agent>~<invocation>`, as the files of `acks/` are named. */
export const recipientOf = (consumer: Pick<Consumer, 'agent' | 'invocation'>): string =>
  `${consumer.agent}~${consumer.invocation}`;

/** Who saw it and where, in the words of the archive (seed 001, Processed File Schema). */
export const handlingOf = (
  core: Core,
  consumer: Consumer,
  checkpoint: CheckpointId,
  action: string,
  acks: readonly string[] = [],
): Handling => ({
  handled_by: `Ralph-v2-${consumer.agent}`,
  handled_at: formatTimestamp(core.options.clock),
  action_taken: action,
  checkpoint,
  invocation: consumer.agent === 'Orchestrator' ? null : consumer.invocation,
  acks,
});
