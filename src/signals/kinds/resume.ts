import type { SignalKind } from '../mailbox.ts';

/** Ours (src/signals/README.md, Types): the seeds name no signal that ends a pause. */
export const resume: SignalKind = {
  type: 'RESUME',
  category: 'session',
  description: 'End the hold: paused work continues in the same attempt, queued messages are delivered.',
  decides: (_signal, { heldByPerson }) => heldByPerson,
  check: () => null,
};
