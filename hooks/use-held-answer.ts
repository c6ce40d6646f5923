import { useEffect } from 'react';
import { heldMs } from '../components/answer/here-answer.ts';
import { sendHeld } from '../components/answer/here-commands.ts';
import type { CommandEffect } from '../components/command.ts';
import type { Store } from '../components/create-store.ts';
import type { ViewState } from '../components/view.ts';
import type { Clock } from '../src/base/clock.ts';

/** Sends an answer given over the panes once the time to take it back is over, or the screen shows something else. */
export const useHeldAnswer = (
  store: Store,
  clock: Clock,
  view: ViewState,
  doAll: (effects: readonly CommandEffect[]) => void,
): void => {
  const { held } = view.ui;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another drawing of the same answer must not start its time again.
  useEffect(() => {
    if (held === null) return;
    const send = (): void => doAll(sendHeld(store.getState()));
    const stop = clock.after(heldMs, send);
    return () => {
      stop();
      // Another session is shown, or none: the answer was neither sent nor taken back.
      if (store.getState().ui.held === held) send();
    };
  }, [store, clock, held]);
};
