import type { EventBody } from './event.ts';
import type { Invocation, SessionState } from './state.ts';

/** The answer of one part of the machine: a fact that follows, `wait` when nothing may follow now, or `null` to ask the next part. */
export type Step = EventBody | 'wait' | null;

/** A part of the machine. Pure: reads only the state. */
export type Part = (state: SessionState) => Step;

/** The first answer of several parts that is not `null`. */
export const firstOf = (parts: readonly Part[], state: SessionState): Step => {
  for (const part of parts) {
    const step = part(state);
    if (step !== null) return step;
  }
  return null;
};

/** The event that enters a state. */
export const enter = (state: SessionState, name: SessionState['state'], reason?: string): EventBody => ({
  type: 'state.entered',
  state: name,
  previous: state.state,
  ...(reason === undefined ? {} : { reason }),
});

/** The instant of the last event in milliseconds. The machine knows no other time. */
export const nowOf = (state: SessionState): number => Date.parse(state.at);

/** True while an invocation runs: its agent may still act. */
export const anyRunning = (state: SessionState): boolean => {
  for (const invocation of state.invocations.values()) if (invocation.stage === 'running') return true;
  return false;
};

/** Its agent waits for the answer to a permission: it sends its model nothing before (src/agents/README.md, PAUSE). */
export const isInPermission = (state: SessionState, { id, heldInPermission }: Invocation): boolean =>
  heldInPermission || [...state.permissions.values()].some(({ invocation }) => invocation === id);

/** An invocation works that a hold still has to wait for. */
export const isAnyAtWork = (state: SessionState): boolean =>
  [...state.invocations.values()].some(
    (invocation) => invocation.stage === 'running' && !isInPermission(state, invocation),
  );
