import { kinds } from './kinds.ts';
import type { RoutingContext } from './mailbox.ts';
import type { Signal } from './signal.ts';

/** A record outside the workspace: a person sent this signal with a key or a command of ours (src/signals/README.md, rule 13). */
export interface Proof {
  /** `kim@host` */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  /** The signal was handled, withdrawn or rejected. The same file in the mailbox again is no person's. */
  readonly spent: boolean;
}

/** The records of a session, by the id of a signal, which includes the hash of its name and bytes. */
export interface Proofs {
  of(id: string): Proof | null;
  /** Before the signal leaves the mailbox for good: a record proves one use. Throws `DiskError`. */
  spend(id: string): void;
}

/**
 * The signal with the author that is known. With a record, `from` is the record's. Without one, a file is data: its `from` is only a claim, and a
 * STEER is no order but an INFO, which ends no hold and interrupts nobody.
 */
export const attributed = (signal: Signal, proof: Proof | null): Signal => {
  if (proof !== null) return { ...signal, from: proof.by };
  const { from, apply: _, now: __, resume: ___, ...rest } = signal;
  return {
    ...rest,
    type: signal.type === 'STEER' ? 'INFO' : signal.type,
    unproven: { type: signal.type, ...(from === undefined ? {} : { from }) },
  };
};

/** Whether a person must confirm this file before it counts: it decides something, and nothing proves that a person wrote it. */
export const needsPerson = (signal: Signal, context: RoutingContext): boolean =>
  signal.unproven !== undefined && kinds[signal.type].decides(signal, context);
