import { act, type CommandEffect, perform } from '../command.ts';
import type { ViewState } from '../view.ts';
import { selectQuitChoices } from './select-quit.ts';

/** Leaves without a question when nothing is at stake. */
export const quit = (view: ViewState): readonly CommandEffect[] =>
  selectQuitChoices(view).length === 0
    ? [perform({ type: 'quit', how: 'close' })]
    : [act({ type: 'overlay-opened', overlay: { kind: 'quit', cursor: safest(view) } })];

/** Enter pauses when this program hosts the engine. With another host it leaves, which changes nothing. */
export const safest = (view: ViewState): number => {
  const wanted = view.connection === 'attached' ? 'leave' : 'pause';
  return Math.max(
    0,
    selectQuitChoices(view).findIndex((choice) => choice.how === wanted),
  );
};
