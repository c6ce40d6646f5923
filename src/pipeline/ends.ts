import type { SessionStatus } from '../session/status.ts';
import type { EventBody } from './event.ts';
import type { SessionState } from './state.ts';
import { standingOf } from './waves.ts';

/** How a session stops: the table "ends as" of engine.md. */
export interface End {
  readonly status: SessionStatus;
  /** `stop_reason` of metadata.yaml. */
  readonly reason: string;
  readonly exitCode: number;
}

/** One end for each row of the table. */
export const ends = {
  allDone: (): End => ({ status: 'completed', reason: 'completed', exitCode: 0 }),
  failedTasks: (): End => ({ status: 'awaiting_feedback', reason: 'failed tasks', exitCode: 1 }),
  /** Nobody is there to decide: `what` says what waits. */
  gate: (what: string): End => ({ status: 'in_progress', reason: `gate: ${what}`, exitCode: 3 }),
  quit: (reason = 'quit'): End => ({ status: 'paused', reason, exitCode: 4 }),
  limit: (reason: string): End => ({ status: 'paused', reason: `limit: ${reason}`, exitCode: 4 }),
  aborted: (): End => ({ status: 'aborted', reason: 'aborted', exitCode: 130 }),
  /** `sentence` says why it cannot go on. */
  blocked: (sentence: string): End => ({ status: 'blocked', reason: sentence, exitCode: 1 }),
} as const;

/** How a session in COMPLETE ends; an earlier end is kept, whoever starts it again only to look. */
export const endOf = (state: SessionState): End => {
  if (state.abort || state.status === 'aborted') return ends.aborted();
  const { unreachable } = standingOf(state);
  const failed = [...state.tasks.values()].some((task) => task.status === 'failed');
  return failed || unreachable.size > 0 ? ends.failedTasks() : ends.allDone();
};

/** The event that stops the session. */
export const stopped = (state: SessionState, end: End): EventBody => ({
  type: 'session.stopped',
  session_id: state.session,
  status: end.status,
  reason: end.reason,
  exit_code: end.exitCode,
});
