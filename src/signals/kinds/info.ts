import type { SignalKind } from '../mailbox.ts';

/** Seed 001, section 3.2: gives the agent new information. Never restarts, pauses or escalates. */
export const info: SignalKind = {
  type: 'INFO',
  category: 'universal',
  description: 'Tell the agents a fact; the work goes on as it is.',
  decides: () => false,
  check: (signal) => (signal.message?.trim() ? null : 'INFO needs a message'),
};
