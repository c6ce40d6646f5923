import { useEffect, useMemo, useRef } from 'react';
import type { Store } from '../components/create-store.ts';
import { draftsOf } from '../components/drafts.ts';
import { selectPreferences } from '../components/ports/select-preferences.ts';
import type { TerminalPort, Written } from '../components/ports/terminal-port.ts';
import type { ViewState } from '../components/view.ts';
import type { Cancel, Clock } from '../src/base/clock.ts';

const mouseWords =
  'The mouse is on: click or scroll; a second click opens. Hold Shift to select text; {look.mouse} turns it off';

/** Milliseconds after which typed text is on the disk, whatever becomes of the program. */
const keptAfterMs = 300;

/** Keeps drafts, history and chosen forms across restarts: at once when a dialog opens or closes, and soon while a person types. */
export const useWritten = (store: Store, terminal: TerminalPort, clock: Clock, view: ViewState): void => {
  const session = view.session?.session ?? '';
  const { drafts, history, overlays, third, tasks } = view.ui;
  const keeper = useMemo(() => createKeeper(store, terminal), [store, terminal]);
  const recalled = useRef('');
  const open = overlays.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these changes what is kept.
  useEffect(() => {
    if (session === '') return;
    if (recalled.current !== session) {
      recalled.current = session;
      const written = terminal.recall(session);
      store.act({ type: 'recalled', written });
      // On the first screen of a person: a terminal that reports its mouse selects no text by itself.
      if (written.shown === undefined && selectPreferences(store.getState()).mouse)
        store.act({ type: 'noticed', notice: { text: mouseWords, tone: 'info', besideKeys: true } });
    }
    keeper.keep();
  }, [store, terminal, keeper, session, history, tasks.as, third, open]);

  // Typing changes one of these. What was typed since goes with a program that is killed.
  const soon = useRef<Cancel | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    if (recalled.current === '' || soon.current !== null || !keeper.isNew()) return;
    soon.current = clock.after(keptAfterMs, () => {
      soon.current = null;
      keeper.keep();
    });
  }, [clock, keeper, drafts, overlays]);

  // Drafts also survive when the screen closes during writing or shows another session.
  useEffect(
    () => () => {
      soon.current?.();
      soon.current = null;
      recalled.current = '';
      keeper.keep();
    },
    [keeper],
  );
};

const createKeeper = (store: Store, terminal: TerminalPort) => {
  let kept = '';
  return {
    isNew: (): boolean => JSON.stringify(writtenIn(store.getState())) !== kept,
    keep: (): void => {
      const view = store.getState();
      const written = writtenIn(view);
      const text = JSON.stringify(written);
      if (!view.session?.session || text === kept) return;
      kept = text;
      terminal.remember(view.session.session, written);
    },
  };
};

const writtenIn = (view: ViewState): Written => ({
  drafts: draftsOf(view),
  history: view.ui.history,
  shown: { tasks: view.ui.tasks.as, third: view.ui.third },
});
