import { type Asks, save } from './table.ts';

/** Effects of the facts between a loop's turns. */
export const effectsOfLoop: Asks = {
  'turn.returned': (_change, event) => [{ type: 'observe-turn', turn: event.turn }],
  'turn.decided': save,
};
