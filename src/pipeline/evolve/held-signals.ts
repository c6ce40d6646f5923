import { type Owned, put } from '../maps.ts';
import type { SessionState } from '../state.ts';

/** The signals after the hold: nothing is queued for its end. */
export const unqueued = (state: SessionState, own: Owned, by: string): SessionState['signals'] => {
  const action =
    state.hold?.stage === 'paused' ? `paused, then resumed by ${by}` : `resumed by ${by} before the pause`;
  return told(state, own, action);
};

/** The signals of a session that ends while it is held or about to be. */
export const heldToTheEnd = (state: SessionState, own: Owned): SessionState['signals'] =>
  told(
    state,
    own,
    state.hold?.stage === 'paused' ? 'paused until the session ended' : 'the session ended before the pause',
  );

const told = (state: SessionState, own: Owned, action: string): SessionState['signals'] => {
  let signals = holdTold(state, own, action);
  for (const [id, life] of signals)
    if (life.queued) signals = put(own, signals, id, { ...life, queued: false });
  return signals;
};

/** What came of the PAUSE that began the hold: its own answer names only what it had to wait for. */
export const holdTold = (
  { hold, signals }: SessionState,
  own: Owned,
  action: string,
): SessionState['signals'] => {
  const life = signals.get(hold?.signal ?? '');
  return life === undefined ? signals : put(own, signals, life.id, { ...life, action });
};
