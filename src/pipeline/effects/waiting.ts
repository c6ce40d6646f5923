import type { Effect } from '../effect.ts';
import { splitTimer } from '../evolve/hold-and-gates.ts';
import type { SessionState } from '../state.ts';
import { type AsksOf, nothing, saveNow } from './table.ts';

/** Signals, holds, gates, questions and timers. */
export const effectsOfWaiting: AsksOf<
  | 'signal.pending'
  | 'signal.claimed'
  | 'signal.delivered'
  | 'signal.queued'
  | 'signal.handled'
  | 'signal.rejected'
  | 'signal.undelivered'
  | 'signal.withdrawn'
  | 'steer.decided'
  | 'hold.requested'
  | 'hold.begun'
  | 'hold.ended'
  | 'abort.requested'
  | 'gate.opened'
  | 'gate.decided'
  | 'question.asked'
  | 'question.answered'
  | 'timer.fired'
> = {
  'signal.pending': nothing,
  'signal.claimed': nothing,
  'signal.delivered': nothing,
  'signal.queued': nothing,
  'signal.handled': nothing,
  'signal.rejected': nothing,
  'signal.undelivered': nothing,
  'signal.withdrawn': nothing,
  'steer.decided': nothing,
  'hold.requested': saveNow,
  'hold.begun': saveNow,
  'hold.ended': saveNow,
  'abort.requested': ({ before }) =>
    before.abort
      ? []
      : [
          { type: 'stop-everything', reason: 'abort' },
          { type: 'write-snapshots', now: true },
        ],
  'gate.opened': (_change, event) => [
    ...(event.deadline_ms === null
      ? []
      : [{ type: 'arm-timer', timer: `gate:${event.gate}`, at_ms: event.deadline_ms } as const]),
    { type: 'write-snapshots', now: true },
  ],
  'gate.decided': ({ before, after }, event) =>
    before.gate === null || after.gate !== null
      ? []
      : [
          { type: 'disarm-timer', timer: `gate:${event.gate}` },
          ...(event.gate === 'knowledge'
            ? [{ type: 'sweep-signals', why: 'gate-closed', reason: 'gate already decided' } as const]
            : []),
          { type: 'write-snapshots', now: true },
        ],
  'question.asked': saveNow,
  'question.answered': saveNow,
  'timer.fired': ({ before }, event) => {
    const [kind, invocation] = splitTimer(event.timer);
    if (kind === 'wip') return stop(before, invocation, 'timeout');
    return kind === 'stall' ? stop(before, invocation, 'stall') : [];
  },
};

const stop = (state: SessionState, invocation: string, reason: 'timeout' | 'stall'): readonly Effect[] =>
  state.invocations.get(invocation)?.stage === 'running'
    ? [{ type: 'stop-invocation', invocation, reason }]
    : [];
