import type { Effect } from '../effect.ts';
import { splitTimer } from '../evolve/hold-and-gates.ts';
import type { Invocation, SessionState } from '../state.ts';
import { isInPermission } from '../step.ts';
import { deadlineOf, disarm } from './invocations.ts';
import { type Asks, saveNow } from './table.ts';

/** Effects of signals, holds, gates, questions and timers. */
export const effectsOfWaiting: Asks = {
  'hold.requested': saveNow,
  // Only an agent in a permission is still there: no deadline of it falls into the pause.
  'hold.begun': ({ after }) => [...inPermission(after).map(({ id }) => disarm(id)), ...saveNow()],
  'hold.ended': ({ before, after }) => [
    ...inPermission(before).flatMap(({ id }) => {
      const invocation = after.invocations.get(id);
      return invocation
        ? [{ type: 'arm-timer', timer: `wip:${id}`, at_ms: deadlineOf(after, invocation) } as const]
        : [];
    }),
    ...saveNow(),
  ],
  'abort.requested': ({ before }) =>
    before.abort
      ? []
      : [
          { type: 'stop-everything', reason: 'abort' },
          { type: 'write-snapshots', now: true },
        ],
  'drain.requested': saveNow,
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
  // Waiting for a present person is not the agent's time.
  'question.asked': ({ after }, { invocation }) => [
    ...(invocation !== null && after.attended ? [disarm(invocation)] : []),
    { type: 'write-snapshots', now: true },
  ],
  'question.answered': ({ before, after }, { request }) => {
    const asked = before.questions.get(request);
    const id = asked?.invocation ?? null;
    const invocation = id === null ? undefined : after.invocations.get(id);
    return [
      ...(id !== null && invocation?.stage === 'running'
        ? [{ type: 'arm-timer', timer: `wip:${id}`, at_ms: deadlineOf(after, invocation) } as const]
        : []),
      ...(asked?.kind === 'edit' && asked.answer === null && after.questions.get(request)?.option === 'take'
        ? [{ type: 'take-edit', request } as const]
        : []),
      { type: 'write-snapshots', now: true },
    ];
  },
  'timer.fired': ({ before }, event) => {
    const [kind, invocation] = splitTimer(event.timer);
    // A person may end the wait before its time.
    if (kind === 'quota' || kind === 'retry') return [{ type: 'disarm-timer', timer: event.timer }];
    if (kind === 'wip') return stop(before, invocation, 'timeout');
    if (event.timer === 'loop:grace')
      return [...before.invocations.keys()].flatMap((each) => stop(before, each, 'quit'));
    return kind === 'stall' ? stop(before, invocation, 'stall') : [];
  },
};

const inPermission = (state: SessionState): readonly Invocation[] =>
  [...state.invocations.values()].filter(
    (invocation) => invocation.stage === 'running' && isInPermission(state, invocation),
  );

const stop = (
  state: SessionState,
  invocation: string,
  reason: 'timeout' | 'stall' | 'quit',
): readonly Effect[] =>
  state.invocations.get(invocation)?.stage === 'running'
    ? [{ type: 'stop-invocation', invocation, reason }]
    : [];
