import type { SignalKind } from '../mailbox.ts';

/** Ours (src/signals/README.md, Types). */
export const cancel: SignalKind = {
  type: 'CANCEL',
  category: 'session',
  description: 'Stop one task and mark it cancelled; the session continues.',
  decides: () => true,
  check: (signal) => (signal.task === undefined ? 'CANCEL needs a task; ABORT ends the session' : null),
};
