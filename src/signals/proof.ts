import { kinds } from './kinds.ts';
import type { RoutingContext } from './mailbox.ts';
import type { Signal } from './signal.ts';

/** A record outside the workspace: a person sent this signal with a key or a command of ours (src/signals/README.md, rule 13). */
export interface Proof {
  /** `kim@host` */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The record of a signal, by its id, which includes the hash of its bytes. `null` without one. */
export type ProofOf = (id: string) => Proof | null;

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
