import type { SignalKind } from '../mailbox.ts';

/** Ours (src/signals/README.md, Types). */
export const retry: SignalKind = {
  type: 'RETRY',
  category: 'session',
  description: 'Open one task again, with the message as feedback for the next attempt.',
  decides: () => true,
  check: (signal) => (signal.task === undefined ? 'RETRY needs a task' : null),
};
