import type { Effect } from '../effect.ts';
import { splitTimer } from '../evolve/hold-and-gates.ts';
import type { SessionState } from '../state.ts';
import { deadlineOf, disarm } from './invocations.ts';
import { type Asks, type Change, saveNow } from './table.ts';

/** Waiting for a person is not the agent's time: the deadline of a running agent moves by the time it stood. */
const deadlines = ({ before, after }: Change): readonly Effect[] =>
  [...after.invocations.values()].flatMap((invocation): readonly Effect[] => {
    const { id, stage, standsSince } = invocation;
    const stood = (before.invocations.get(id)?.standsSince ?? null) !== null;
    if (stage !== 'running' || stood === (standsSince !== null)) return [];
    return stood
      ? [{ type: 'arm-timer', timer: `wip:${id}`, at_ms: deadlineOf(after, invocation) }]
      : [disarm(id)];
  });

/** Effects of signals, holds, gates, questions and timers. */
export const effectsOfWaiting: Asks = {
  'hold.requested': saveNow,
  'hold.begun': saveNow,
  'hold.ended': (change) => [...deadlines(change), ...saveNow()],
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
  'question.asked': (change) => [...deadlines(change), { type: 'write-snapshots', now: true }],
  'checkpoint.reached': deadlines,
  'permission.asked': deadlines,
  'permission.answered': deadlines,
  'question.answered': (change, { request }) => {
    const { before, after } = change;
    const asked = before.questions.get(request);
    return [
      ...deadlines(change),
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

const stop = (
  state: SessionState,
  invocation: string,
  reason: 'timeout' | 'stall' | 'quit',
): readonly Effect[] =>
  state.invocations.get(invocation)?.stage === 'running'
    ? [{ type: 'stop-invocation', invocation, reason }]
    : [];
