import type { SignalKind } from '../mailbox.ts';

/** Seed 001, section 3.2: gives the agent new information. Never restarts, pauses or escalates. */
export const info: SignalKind = {
  type: 'INFO',
  category: 'universal',
  description: 'Give the agents a fact; the work continues unchanged.',
  decides: () => false,
  check: (signal) => (signal.message?.trim() ? null : 'INFO needs a message'),
};
