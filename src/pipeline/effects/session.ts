import type { Effect } from '../effect.ts';
import type { SessionState } from '../state.ts';
import { type AsksOf, nothing, save, saveNow } from './table.ts';

export const effectsOfSession: AsksOf<
  | 'session.created'
  | 'session.started'
  | 'session.stopped'
  | 'settings.changed'
  | 'state.entered'
  | 'iteration.started'
  | 'metadata.edited-by-hand'
  | 'problem.found'
  | 'limit.reached'
  | 'snapshot.written'
  | 'feedback.found'
  | 'plan-item.marked'
  | 'session.reviewed'
  | 'knowledge.staged'
  | 'knowledge.promoted'
> = {
  'session.created': ({ after }) => [
    { type: 'prepare-iteration', iteration: after.iteration },
    { type: 'write-snapshots', now: true },
  ],
  'session.started': ({ after }, event) => [
    ...timers(after, Date.parse(event.at)),
    ...(after.abort ? [{ type: 'stop-everything', reason: 'abort' } as const] : []),
    ...(after.lookingForFeedback
      ? [
          { type: 'sweep-signals', why: 'session-end', reason: 'the session ended', known: true } as const,
          { type: 'look-for-feedback', iteration: after.iteration + 1 } as const,
        ]
      : []),
    { type: 'write-snapshots', now: true },
  ],
  'session.stopped': () => [{ type: 'write-snapshots', now: true }, { type: 'stop-session' }],
  'settings.changed': save,
  'state.entered': ({ before, after }, event) =>
    event.state === 'COMPLETE'
      ? [
          { type: 'sweep-signals', why: 'session-end', reason: 'the session ended' },
          { type: 'write-snapshots', now: true },
        ]
      : [
          ...(before.gate && !after.gate
            ? [{ type: 'disarm-timer', timer: `gate:${before.gate.gate}` } as const]
            : []),
          // The number of the iteration moves in the same write as the state.
          ...(event.state === 'REPLANNING' ? nothing() : save()),
        ],
  'iteration.started': (_change, event) => [
    { type: 'prepare-iteration', iteration: event.iteration },
    { type: 'write-snapshots', now: true },
  ],
  'metadata.edited-by-hand': nothing,
  'problem.found': nothing,
  'limit.reached': save,
  'snapshot.written': nothing,
  'feedback.found': nothing,
  'plan-item.marked': save,
  'session.reviewed': save,
  'knowledge.staged': saveNow,
  'knowledge.promoted': saveNow,
};

/** Every deadline that stands in the state: timers do not survive the program, their instants do. */
const timers = (state: SessionState, startedAt: number): readonly Effect[] => {
  const arm = (timer: string, at_ms: number): Effect => ({ type: 'arm-timer', timer, at_ms });
  const duration = state.settings.limits.max_duration;
  return [
    ...(duration === null ? [] : [arm('limit:max_duration', startedAt + duration)]),
    ...(state.quotaUntil === null ? [] : [arm('quota', state.quotaUntil)]),
    ...(state.gate === null || state.gate.deadlineMs === null
      ? []
      : [arm(`gate:${state.gate.gate}`, state.gate.deadlineMs)]),
    ...[...state.retries].flatMap(([slot, retry]) => (retry.fired ? [] : [arm(`retry:${slot}`, retry.atMs)])),
  ];
};
