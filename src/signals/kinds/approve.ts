import type { SignalKind } from '../mailbox.ts';

/** Seed 001, section 3.5: handled only while knowledge waits for approval. */
export const approve: SignalKind = {
  type: 'APPROVE',
  category: 'gate',
  description: 'Promote the staged knowledge, all of it or the files named.',
  decides: (_signal, { gateOpen }) => gateOpen,
  check: (signal) =>
    signal.promote?.length === 0 ? 'APPROVE with an empty `promote` list promotes nothing; use SKIP' : null,
};
