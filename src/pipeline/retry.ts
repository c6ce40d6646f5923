import type { Message } from '../agents/port.ts';
import type { EventBody, EventOf } from './event.ts';
import { slotOf } from './slot.ts';
import type { Invocation, SessionState } from './state.ts';
import { nowOf } from './step.ts';

/** The retry after a failed call (src/engine/README.md): at once, after 30 s, 60 s, 60 s, as in `retries.backoff`. `null`: all retries are used up. */
export const retry = (state: SessionState, invocation: Invocation, reason: string): EventBody | null => {
  const slot = slotOf(invocation.mode, invocation.task);
  const tries = triesOf(state, invocation);
  const delay = state.settings.retries.backoff[tries];
  if (delay === undefined) return null;
  return {
    type: 'retry.scheduled',
    retry: slot,
    at_ms: nowOf(state) + delay,
    tries: tries + 1,
    reason,
    invocation: invocation.id,
  };
};

/** Number of retries of the call so far. */
export const triesOf = (state: SessionState, invocation: Invocation): number =>
  state.retries.get(slotOf(invocation.mode, invocation.task))?.tries ?? 0;

/** The messages of the failed call, which its retry gets. */
export const lostMessages = (
  { invocations, retries }: SessionState,
  { invocation = '', retry: slot }: EventOf<'retry.scheduled'>,
): readonly Message[] => invocations.get(invocation)?.messages ?? retries.get(slot)?.messages ?? [];
