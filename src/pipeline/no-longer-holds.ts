import { isComplete } from '../session/status.ts';
import type { Signal } from '../signals/signal.ts';
import { failedForGood } from '../tasks/graph.ts';
import type { SessionState } from './state.ts';

/**
 * Why a signal comes too late for the session's state, as a sentence, or `null`. A dialog or a file may be
 * older than the facts behind it. The engine checks before it acts, commands and keys before they write.
 */
export const noLongerHolds = (signal: Pick<Signal, 'type' | 'task'>, state: SessionState): string | null => {
  switch (signal.type) {
    case 'CANCEL':
      return signal.task === undefined ? null : settledTask(signal.task, state);
    case 'APPROVE':
    case 'SKIP':
      return closedGate(state);
    case 'ABORT':
      return isComplete(state) ? 'nothing to abort: the session has ended' : null;
    case 'PAUSE':
      if (isComplete(state)) return 'nothing to hold: the session has ended';
      return state.hold === null ? null : 'already held';
    default:
      return null;
  }
};

const settledTask = (id: string, state: SessionState): string | null => {
  const task = state.tasks.get(id);
  if (task?.status === 'done') return `${id} is done: there is nothing to cancel`;
  if (task?.status === 'cancelled') return `${id} was already cancelled`;
  return task && failedForGood(task, state.settings.retries.max_attempts)
    ? `${id} has failed for good: there is nothing to cancel`
    : null;
};

/** Only a decided gate is too late: before its gate opens, an APPROVE waits for it (src/signals/README.md, rule 5). */
const closedGate = (state: SessionState): string | null =>
  state.gate?.gate !== 'knowledge' && (state.decision !== null || isComplete(state)) ? gateOver(state) : null;

/** What a decision about the lessons comes too late for. */
export const gateOver = ({ decision }: Pick<SessionState, 'decision'>): string =>
  decision === null ? 'not asked: no lessons waited for a decision' : 'gate already decided';
