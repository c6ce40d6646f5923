import { useEffect, useRef } from 'react';
import { bindingsOf } from '../src/keymap/bindings.ts';
import type { Store } from '../src/store/create-store.ts';
import { draftsOf } from '../src/store/overlays/drafts.ts';
import type { TerminalPort } from '../src/store/ports/terminal-port.ts';
import { selectPreferences } from '../src/store/select-preferences.ts';
import { selectCalls, selectTitle } from '../src/store/signals/select-attention.ts';
import type { ViewState } from '../src/store/view.ts';

const mouseWords =
  'The mouse is on: click or scroll; a second click opens. Hold Shift to select text; {look.mouse} turns it off';

/** Keeps drafts and history across restarts, sets the window title, and calls the person once for each thing that needs one. */
export const useTerminalPort = (store: Store, terminal: TerminalPort, view: ViewState): void => {
  const session = view.session?.session ?? null;
  const { drafts, history, third } = view.ui;
  const form = view.ui.tasks.as;
  const recalled = useRef<string | null>(null);
  useEffect(() => {
    if (session === null || session === '') return;
    if (recalled.current === session)
      terminal.remember(session, { drafts, history, shown: { tasks: form, third } });
    else {
      const written = terminal.recall(session);
      store.act({ type: 'recalled', written });
      // On the first screen of a person: a terminal that reports its mouse selects no text by itself.
      if (written.shown === undefined && selectPreferences(store.getState()).mouse)
        store.act({ type: 'noticed', notice: { text: mouseWords, tone: 'info' } });
    }
    recalled.current = session;
  }, [store, terminal, session, drafts, history, form, third]);

  // Drafts also survive when the screen closes during writing or shows another session.
  useEffect(
    () => () => {
      const { session: last, ui } = store.getState();
      if (last?.session)
        terminal.remember(last.session, {
          drafts: draftsOf(ui),
          history: ui.history,
          shown: { tasks: ui.tasks.as, third: ui.third },
        });
    },
    [store, terminal],
  );

  const [problem = null] = bindingsOf(view).problems;
  useEffect(() => {
    if (problem !== null) store.act({ type: 'noticed', notice: { text: problem, tone: 'bad', stays: true } });
  }, [store, problem]);

  const title = selectTitle(view);
  useEffect(() => terminal.title(title), [terminal, title]);

  const called = useRef<ReadonlySet<string>>(new Set());
  const calls = selectCalls(view);
  const keys = calls.map((call) => call.key).join('\n');
  const { notify } = selectPreferences(view);
  const latest = useRef({ calls, notify });
  latest.current = { calls, notify };
  useEffect(() => {
    const fresh = latest.current.calls.filter((call) => !called.current.has(call.key));
    // Keeps the keys of a session that the screen has left, because it may return.
    called.current = new Set([...called.current, ...keys.split('\n')]);
    const [first] = fresh;
    if (first)
      terminal.call(fresh.length > 1 ? `${fresh.length} things need you` : first.text, latest.current.notify);
  }, [terminal, keys]);
};
