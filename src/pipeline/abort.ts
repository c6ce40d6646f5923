import { isComplete } from '../session/status.ts';
import { ends, stopped } from './ends.ts';
import type { EventBody } from './event.ts';
import { locksBack } from './modes/flow/locks-back.ts';
import { modeOf } from './modes/index.ts';
import type { SessionState } from './state.ts';
import { anyRunning, enter, type Part } from './step.ts';

const reason = 'Aborted by signal';

/** ABORT, once every process is stopped: the clean-up list of seed 001, section 3.4. Reverts nothing and keeps staged knowledge. */
export const abort: Part = (state) => {
  if (!state.abort) return null;
  if (!state.abort.stopped || anyRunning(state)) return 'wait';
  const { last } = modeOf(state);
  // A stopped loop that is resumed is in its last state, and has not ended.
  if (state.state === last && isComplete(state)) return stopped(state, ends.aborted());
  const settled = failRunning(state) ?? closeGate(state) ?? cancelItems(state) ?? locksBack(state);
  return settled ?? enter(state, last, reason);
};

const failRunning = (state: SessionState): EventBody | null => {
  for (const [id, task] of state.tasks)
    if (task.status === 'running')
      return {
        type: 'task.failed',
        task: id,
        attempt: task.attempt,
        reason,
        cause: { who: 'person' },
        counts: false,
      };
  return null;
};

const closeGate = (state: SessionState): EventBody | null =>
  state.gate && {
    type: 'gate.decided',
    gate: state.gate.gate,
    decision: 'abort',
    by: state.abort?.by ?? 'signal',
    signal: state.abort?.signal ?? null,
  };

/** Cancels plan items in progress, and the approval item when knowledge waited for it. */
const cancelItems = (state: SessionState): EventBody | null => {
  for (const [item, { mark }] of state.planItems) {
    const waits =
      item === 'plan-knowledge-approval' && state.state === 'KNOWLEDGE_APPROVAL' && mark === 'open';
    if (mark === 'running' || waits)
      return { type: 'plan-item.marked', item, mark: 'cancelled', note: reason };
  }
  return null;
};
