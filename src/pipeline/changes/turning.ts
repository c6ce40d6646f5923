import { isComplete } from '../../session/status.ts';
import type { EventBody } from '../event.ts';
import { isIsolated } from '../isolated.ts';
import type { SessionState } from '../state.ts';
import { anyRunning } from '../step.ts';
import { isMerging } from './merging.ts';

/**
 * Grants the undo or redo that a person asked for, between two merges. In a shared workspace it waits until nobody works there, and nothing new
 * begins before: what it moves would count as the work of an attempt.
 */
export const turnAsked = (state: SessionState): EventBody | 'wait' | null => {
  const { asked, step } = state.changes;
  if (step?.kind === 'turn') return 'wait';
  if (asked === null || isComplete(state)) return null;
  const { way, task, attempt } = asked;
  const granted: EventBody = { type: 'undo.granted', way, task, ...(attempt === null ? {} : { attempt }) };
  if (isIsolated(state)) return isMerging(state) ? null : granted;
  if (state.invocations.size === 0) return granted;
  return state.hold === null && anyRunning(state) ? 'wait' : null;
};
