import type { SessionState, TaskState } from '../state.ts';
import { type AttemptChanges, attemptKey } from './changes-state.ts';

/** The changes of the task's current or last attempt. */
export const attemptChanges = (
  state: SessionState,
  { definition, attempt }: TaskState,
): AttemptChanges | undefined =>
  state.changes.attempts.get(attemptKey(state.iteration, definition.id, Math.max(attempt, 1)));
