import { liveSettingProblem } from '../../session/settings/live-settings.ts';
import type { SignalKind } from '../mailbox.ts';

/** Ours (src/signals/README.md, Types): changes live settings while the session runs. */
export const set: SignalKind = {
  type: 'SET',
  category: 'session',
  description: 'Change a setting of the running session, such as the number of parallel executors.',
  decides: () => true,
  check: (signal) => {
    const entries = Object.entries(signal.set ?? {});
    if (entries.length === 0) return 'SET needs `set` with at least one setting';
    for (const [key, value] of entries) {
      const problem = liveSettingProblem(key, value);
      if (problem !== null) return problem;
    }
    return null;
  },
};
