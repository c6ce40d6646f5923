import type { SignalKind } from '../mailbox.ts';

/** Seed 001, section 3.3. The hold always covers the whole session, whatever the target (src/signals/README.md, Types). */
export const pause: SignalKind = {
  type: 'PAUSE',
  category: 'session',
  description: 'Hold the session: nothing new starts, what runs stops at its next boundary.',
  decides: () => false,
  check: () => null,
};
