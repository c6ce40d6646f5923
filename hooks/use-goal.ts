import { useEffect } from 'react';
import type { Store } from '../components/create-store.ts';
import { goalDraft } from '../components/drafts.ts';
import type { TerminalPort } from '../components/ports/terminal-port.ts';
import type { ViewState } from '../components/view.ts';
import type { Clock } from '../src/base/clock.ts';

/** Milliseconds after which a typed goal is on the disk, whatever becomes of the program. */
const keptAfterMs = 300;

/** Keeps the goal typed on the start screen for the next one in this workspace, however this one is left. */
export const useGoal = (store: Store, terminal: TerminalPort, clock: Clock, view: ViewState): void => {
  const start = view.ui.overlays.find(({ kind }) => kind === 'start');
  const place = start?.kind === 'start' ? start.offers.workspace : null;
  const goal = start?.kind === 'start' ? start.editor.text : '';
  useEffect(() => {
    if (place === null) return;
    const keep = (): void =>
      terminal.remember(place, { drafts: { goal: goalDraft(store.getState()) }, history: [] });
    return keep;
  }, [store, terminal, place]);
  useEffect(() => {
    if (place === null) return;
    return clock.after(keptAfterMs, () => terminal.remember(place, { drafts: { goal }, history: [] }));
  }, [terminal, clock, place, goal]);
};
