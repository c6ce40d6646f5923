import type { Invocation, SessionState } from '../../pipeline/state.ts';
import { isInPermission } from '../../pipeline/step.ts';
import { waitingTimers } from '../../pipeline/waiting-timers.ts';
import { isComplete } from '../../session/status.ts';
import { type Act, cause, done } from './reaction.ts';

/** PAUSE holds the whole session, whatever its target. */
export const pause: Act = (pendingSignal) =>
  done([{ type: 'hold.requested', ...cause(pendingSignal) }], (after) => {
    const running = runningIn(after, true);
    return running.length > 0 ? `pausing: waiting for ${running.join(', ')}` : 'paused';
  });

/** `atWork`: without those that a hold finds in a permission. */
const runningIn = (state: SessionState, atWork = false): readonly string[] =>
  [...state.invocations.values()]
    .filter((each) => each.stage === 'running' && !(atWork && isInPermission(state, each)))
    .map(whoWorks);

/** "Executor on task-3", as a person knows it. */
const whoWorks = ({ role, task }: Invocation): string => (task === null ? role : `${role} on ${task}`);

/** RESUME ends the hold. Without one it ends the wait for a used-up quota, or for the next try of a failed call. */
export const resume: Act = (pendingSignal, state) => {
  if (state.hold) return done([{ type: 'hold.ended', ...cause(pendingSignal) }], 'resumed');
  const timers = waitingTimers(state);
  return timers.length === 0
    ? done([], 'not held')
    : done(
        timers.map((timer) => ({ type: 'timer.fired', timer })),
        pendingSignal.signal.message
          ? 'trying again now; no agent gets its message without a pause: send it as INFO'
          : 'trying again now',
      );
};

/** DRAIN stops the session when running work has ended. */
export const drain: Act = (pendingSignal, state) => {
  if (state.drain) return done([], 'already draining');
  if (isComplete(state)) return done([], 'nothing to stop: the session has ended');
  return done([{ type: 'drain.requested', ...cause(pendingSignal) }], (after) => {
    const running = runningIn(after);
    return running.length > 0
      ? `draining: waiting for ${running.join(', ')}`
      : 'stopped: nothing was running';
  });
};

/** ABORT ends the session. Its archive waits until the processes are stopped. */
export const abort: Act = (pendingSignal, state) =>
  state.abort
    ? done([], 'already aborting')
    : { kind: 'until-stopped', facts: [{ type: 'abort.requested', ...cause(pendingSignal) }] };
