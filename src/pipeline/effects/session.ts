import { isComplete } from '../../session/status.ts';
import { leftWorktrees } from '../changes/worktrees.ts';
import type { Effect } from '../effect.ts';
import { endsForGood, hasEnded } from '../ends.ts';
import type { SessionState } from '../state.ts';
import { anyRunning } from '../step.ts';
import { stepUnderWay } from './changes.ts';
import { flowStepUnderWay } from './flow.ts';
import { type Asks, save, saveNow } from './table.ts';

export const effectsOfSession: Asks = {
  'session.created': ({ after }) => [
    { type: 'prepare-iteration', iteration: after.iteration },
    { type: 'write-snapshots', now: true },
  ],
  'session.started': ({ after }, event) => [
    ...timers(after, Date.parse(event.at)),
    ...(after.abort ? [{ type: 'stop-everything', reason: 'abort' } as const] : stepUnderWay(after)),
    // An aborted flow gives its locks back, too.
    ...flowStepUnderWay(after),
    ...leftWorktrees(after),
    // A program that was killed at the end left worktrees, and the branch checked out in one of them.
    ...(isComplete(after) ? closeChanges(after) : []),
    ...endedSweep(after, after.lookingForFeedback),
    ...(after.lookingForFeedback
      ? [{ type: 'look-for-feedback', iteration: after.iteration + 1 } as const]
      : []),
    { type: 'write-snapshots', now: true },
  ],
  'session.stopped': () => [{ type: 'write-snapshots', now: true }, { type: 'stop-session' }],
  'settings.changed': ({ before, after }) => [
    ...durationTimer(before, after),
    ...loopRuntimeTimer(before, after),
    ...save(),
  ],
  'state.entered': ({ before, after }, event) =>
    event.state === 'COMPLETE' || (event.state === 'STOPPED' && endsForGood(after))
      ? [
          { type: 'sweep-signals', why: 'session-end', reason: 'the session ended' },
          { type: 'write-snapshots', now: true },
          ...closeChanges(after),
        ]
      : [
          ...(before.gate && !after.gate
            ? [{ type: 'disarm-timer', timer: `gate:${before.gate.gate}` } as const]
            : []),
          ...(event.state === 'DRAINING' ? graceTimer(after, Date.parse(event.at)) : []),
          ...(event.state === 'STOPPED' ? [{ type: 'disarm-timer', timer: 'loop:grace' } as const] : []),
          // The new iteration number and the state belong in one write.
          ...(event.state === 'REPLANNING' ? [] : save()),
        ],
  'iteration.started': (_change, event) => [
    { type: 'prepare-iteration', iteration: event.iteration },
    { type: 'write-snapshots', now: true },
  ],
  'limit.reached': save,
  // Messages that name no iteration belong to the one that the feedback beside them starts.
  'feedback.found': ({ after }) => (after.feedback.length > 0 ? [] : endedSweep(after, false)),
  'plan-item.marked': save,
  'session.reviewed': save,
  'knowledge.staged': saveNow,
  'knowledge.promoted': saveNow,
};

/** A flow may have worked on branches of streams alone, without that of the session. */
const closeChanges = ({ changes, mode }: SessionState): readonly Effect[] =>
  changes.session === null && (mode !== 'flow' || changes.attempts.size === 0)
    ? []
    : [{ type: 'close-changes' }];

/** Archives at the start of a session that stays complete what nobody will read. `named`: only what names its iteration. */
const endedSweep = (state: SessionState, named: boolean): readonly Effect[] =>
  hasEnded(state)
    ? [{ type: 'sweep-signals', why: 'session-end', reason: 'the session ended', known: true, named }]
    : [];

/** Moves a running session's time limit after a SET. The new limit counts from the same start. */
const durationTimer = (before: SessionState, after: SessionState): readonly Effect[] => {
  const duration = after.settings.limits.max_duration;
  if (duration === before.settings.limits.max_duration) return [];
  return duration === null
    ? [{ type: 'disarm-timer', timer: durationLimit }]
    : [{ type: 'arm-timer', timer: durationLimit, at_ms: Date.parse(after.startedAt) + duration }];
};

const durationLimit = 'limit:max_duration';

/** Running work has `loop.grace` to end by itself when a loop drains. */
const graceTimer = (state: SessionState, at: number): readonly Effect[] =>
  anyRunning(state)
    ? [{ type: 'arm-timer', timer: 'loop:grace', at_ms: at + state.settings.loop.grace }]
    : [];

/** Moves a loop's runtime limit after a SET. */
const loopRuntimeTimer = (before: SessionState, after: SessionState): readonly Effect[] => {
  if (before.settings.loop.max_runtime === after.settings.loop.max_runtime) return [];
  const timer = loopTimer(after, Date.parse(after.startedAt));
  return timer.length > 0 ? timer : [{ type: 'disarm-timer', timer: runtimeLimit }];
};

/** A loop's limit counts only the time in which programs ran it. Time under an earlier limit does not count. */
const loopTimer = ({ loop, settings, spentMs }: SessionState, startedAt: number): readonly Effect[] => {
  const most = settings.loop.max_runtime;
  if (loop === null || most === null) return [];
  return [{ type: 'arm-timer', timer: runtimeLimit, at_ms: startedAt + most - (spentMs - loop.used.ms) }];
};

const runtimeLimit = 'loop:max_runtime';

/** Arms every deadline of the state. Timers do not survive the program, their instants do. */
const timers = (state: SessionState, startedAt: number): readonly Effect[] => {
  const arm = (timer: string, at_ms: number): Effect => ({ type: 'arm-timer', timer, at_ms });
  const duration = state.settings.limits.max_duration;
  return [
    ...(duration === null ? [] : [arm(durationLimit, startedAt + duration)]),
    ...loopTimer(state, startedAt),
    ...(state.quotaUntil === null ? [] : [arm('quota', state.quotaUntil)]),
    ...(state.gate === null || state.gate.deadlineMs === null
      ? []
      : [arm(`gate:${state.gate.gate}`, state.gate.deadlineMs)]),
    ...[...state.retries].flatMap(([slot, retry]) => (retry.fired ? [] : [arm(`retry:${slot}`, retry.atMs)])),
  ];
};
