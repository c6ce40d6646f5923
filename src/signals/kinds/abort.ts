import type { SignalKind } from '../mailbox.ts';

/** Seed 001, section 3.4: the session ends with the clean-up checklist. Reverts no file. */
export const abort: SignalKind = {
  type: 'ABORT',
  category: 'session',
  description: 'End the session: every agent is stopped, changed files stay as they are.',
  decides: () => false,
  check: (signal) => (signal.task === undefined ? null : 'ABORT ends the session; CANCEL stops one task'),
};
