import { list } from '../base/sentence.ts';
import { failedStatus, isComplete, plainReasons, type SessionStatus } from '../session/status.ts';
import type { EventBody } from './event.ts';
import type { SessionState } from './state.ts';

/** How a session stops (src/engine/README.md, Table of ends). */
export interface End {
  readonly status: SessionStatus;
  /** `stop_reason` of metadata.yaml. */
  readonly reason: string;
  readonly exitCode: number;
}

/** One function for each row of the table. */
export const ends = {
  allDone: (): End => ({ status: 'completed', reason: plainReasons.completed, exitCode: 0 }),
  /** All tasks are done, but the work is not where it was wanted: `sentence` says why. */
  notTaken: (sentence: string): End => ({ status: 'completed', reason: sentence, exitCode: 1 }),
  /** All tasks are done, but nobody was there to look at what `sentence` names. */
  unseen: (sentence: string): End => ({ status: 'completed', reason: sentence, exitCode: 3 }),
  failedTasks: (): End => ({ status: failedStatus, reason: plainReasons[failedStatus], exitCode: 1 }),
  /** The work makes no progress: `sentence` says why. */
  needsFeedback: (sentence: string): End => ({
    status: 'awaiting_feedback',
    reason: sentence,
    exitCode: 1,
  }),
  /** No person is there to decide: `what` names the open decision. */
  gate: (what: string): End => ({ status: 'in_progress', reason: `gate: ${what}`, exitCode: 3 }),
  quit: (reason = 'quit'): End => ({ status: 'paused', reason, exitCode: 4 }),
  limit: (reason: string): End => ({ status: 'paused', reason: `limit: ${reason}`, exitCode: 4 }),
  /** DRAIN, requested by `by`. */
  drained: (by: string): End => ({ status: 'paused', reason: `drain requested by ${by}`, exitCode: 4 }),
  aborted: (): End => ({ status: 'aborted', reason: plainReasons.aborted, exitCode: 130 }),
  /** The session cannot continue: `sentence` says why. */
  blocked: (sentence: string): End => ({ status: 'blocked', reason: sentence, exitCode: 1 }),
} as const;

/** The event that stops the session. */
export const stopped = (state: SessionState, end: End): EventBody => {
  const { status, reason, exitCode } = end.exitCode === 0 ? unlessAsked(state, end) : end;
  return { type: 'session.stopped', session_id: state.session, status, reason, exit_code: exitCode };
};

/** Nobody was there to say whether they wrote a file that would decide something (src/signals/README.md, rule 13). */
const unlessAsked = ({ attended, signals }: SessionState, end: End): End => {
  const types = attended
    ? []
    : [...signals.values()].flatMap(({ stage, unproven, signal }) =>
        stage === 'pending' && unproven ? [signal.type] : [],
      );
  return types.length === 0
    ? end
    : ends.unseen(
        `${list([...new Set(types)], 3)} in the mailbox was not obeyed, because nothing shows that you sent it: confirm or withdraw it`,
      );
};

/** The session has ended, or a crash came between its last state and its end. */
export const hasEnded = (state: SessionState): boolean =>
  isComplete(state) || (state.state === 'STOPPED' && endsForGood(state));

/** False for a loop that stopped as paused: it keeps its mailbox for the resume. */
export const endsForGood = ({ abort, drain, loop }: SessionState): boolean =>
  abort !== null ||
  (drain === null && loop !== null && loop.stop !== null && !limitConditions.has(loop.stop.condition));

const limitConditions: ReadonlySet<string> = new Set(['runtime', 'turns']);
