import type { SignalKind } from '../mailbox.ts';

/** Seed 001, section 3.1: changes the agent's direction. The decision tree chooses restart, adjust or escalate. */
export const steer: SignalKind = {
  type: 'STEER',
  category: 'universal',
  description: 'Change the direction: the agent restarts the step, adjusts in place, or hands the task back.',
  decides: () => false,
  check: (signal) => (signal.message?.trim() ? null : 'STEER needs a message'),
};
