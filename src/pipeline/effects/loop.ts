import { type AsksOf, nothing, save } from './table.ts';

/** Effects of the facts between a loop's turns. */
export const effectsOfLoop: AsksOf<'turn.returned' | 'turn.observed' | 'turn.decided'> = {
  'turn.returned': (_change, event) => [{ type: 'observe-turn', turn: event.turn }],
  'turn.observed': nothing,
  'turn.decided': save,
};
