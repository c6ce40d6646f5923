import { briefOf } from '../brief.ts';
import type { Effect } from '../effect.ts';
import type { Invocation, SessionState } from '../state.ts';
import { type Asks, save } from './table.ts';

export const effectsOfInvocations: Asks = {
  'invocation.started': ({ after }, event) => [...run(after, event.invocation), ...save()],
  'invocation.resumed': ({ after }, event) => [...run(after, event.invocation), ...save()],
  'invocation.paused': (_change, event) => [disarm(event.invocation), ...save()],
  'invocation.ended': (_change, event) => [disarm(event.invocation)],
  'invocation.failed': ({ after }, event) => [
    disarm(event.invocation),
    ...(event.kind === 'quota' && after.quotaUntil !== null
      ? [{ type: 'arm-timer', timer: 'quota', at_ms: after.quotaUntil } as const]
      : []),
  ],
  'invocation.interrupted': (_change, event) => [disarm(event.invocation)],
  'retry.scheduled': ({ after }, event) =>
    after.retries.get(event.retry)?.fired
      ? []
      : [{ type: 'arm-timer', timer: `retry:${event.retry}`, at_ms: event.at_ms }],
};

export const disarm = (invocation: string): Effect => ({ type: 'disarm-timer', timer: `wip:${invocation}` });

const run = (state: SessionState, id: string): readonly Effect[] => {
  const invocation = state.invocations.get(id);
  if (invocation?.stage !== 'running') return [];
  return [
    { type: 'arm-timer', timer: `wip:${id}`, at_ms: deadlineOf(state, invocation) },
    { type: 'invoke-agent', brief: briefOf(state, id), backend: invocation.backend },
  ];
};

/** `timeouts.task_wip_minutes` after the start, or the task's own timeout. Held time does not count (src/engine/README.md). */
export const deadlineOf = (state: SessionState, invocation: Invocation): number => {
  const own =
    invocation.mode === 'IMPLEMENT' && invocation.task !== null
      ? state.tasks.get(invocation.task)?.definition.timeout_ms
      : undefined;
  const limit = own ?? state.settings.timeouts.task_wip_minutes * 60_000;
  return Date.parse(invocation.startedAt) + limit + invocation.heldMs;
};
