import type { HandlersOf, Patch } from '../handler.ts';
import type { LoopState } from '../modes/loop/turn-record.ts';
import type { SessionState } from '../state.ts';

/** Folds the facts between a loop's turns. */
export const loop: HandlersOf<'turn.returned' | 'turn.observed' | 'turn.decided'> = {
  'turn.returned': (state, event) => change(state, () => ({ looking: event.turn })),

  'turn.observed': (state, { type: _type, seq: _seq, at: _at, ...look }) =>
    change(state, ({ looks }) => ({
      looking: null,
      // After a crash the look is repeated; the newer one counts.
      looks: [...looks.filter(({ turn }) => turn !== look.turn), look],
    })),

  'turn.decided': (state, event) =>
    change(state, ({ decisions }) => ({
      decisions: [...decisions, { turn: event.turn, stop: event.stop, sentence: event.sentence }],
      stop: event.stop === null ? null : { condition: event.stop, sentence: event.sentence },
    })),
};

const change = (state: SessionState, edit: (loop: LoopState) => Partial<LoopState>): Patch =>
  state.loop && { loop: { ...state.loop, ...edit(state.loop) } };
