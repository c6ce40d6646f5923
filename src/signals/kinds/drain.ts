import type { SignalKind } from '../mailbox.ts';

/** Ours (src/signals/README.md, Types; src/discovery/README.md, The loop): ends a session gracefully. RESUME does not cancel it. */
export const drain: SignalKind = {
  type: 'DRAIN',
  category: 'session',
  description: 'Stop softly: nothing new starts, what runs ends, then the session stops and can be resumed.',
  decides: () => false,
  check: (signal) => (signal.task === undefined ? null : 'DRAIN stops the session; CANCEL stops one task'),
};
