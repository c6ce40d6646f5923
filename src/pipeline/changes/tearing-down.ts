import { isComplete } from '../../session/status.ts';
import type { EventBody } from '../event.ts';
import { isIsolated } from '../isolated.ts';
import type { SessionState } from '../state.ts';

/**
 * Before a session ends for good, `worktree.teardown` runs in its check trees: what fails there can still be recorded. `wait`: git works. `null`: nothing to do,
 * or nothing was checked since.
 */
export const tearDownStep = (state: SessionState): EventBody | 'wait' | null => {
  const { step, tornDown } = state.changes;
  if (!isIsolated(state) || !isComplete(state) || state.settings.worktree.teardown.length === 0) return null;
  if (step !== null) return 'wait';
  return tornDown === state.invocationsStarted ? null : { type: 'teardown.started' };
};
