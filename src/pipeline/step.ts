import type { EventBody } from './event.ts';
import type { SessionState } from './state.ts';

/** What one part of the machine says: a fact that follows, `wait` = nothing may follow now, `null` = no opinion, ask the next part. */
export type Step = EventBody | 'wait' | null;

/** A part of the machine: pure, reads the state and nothing else. */
export type Part = (state: SessionState) => Step;

/** The first opinion of several parts. */
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

/** The instant of the last event, in milliseconds: all the time the machine knows. */
export const nowOf = (state: SessionState): number => Date.parse(state.at);

/** An invocation works: its agent may still do something. */
export const anyRunning = (state: SessionState): boolean => {
  for (const invocation of state.invocations.values()) if (invocation.stage === 'running') return true;
  return false;
};
