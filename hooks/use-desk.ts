import { useEffect, useRef } from 'react';
import { bindingsOf } from '../src/keymap/bindings.ts';
import type { Store } from '../src/store/create-store.ts';
import type { Desk } from '../src/store/desk.ts';
import { draftsOf } from '../src/store/reduce-ui.ts';
import { selectCalls, selectTitle } from '../src/store/select-attention.ts';
import { selectPreferences } from '../src/store/select-preferences.ts';
import type { ViewState } from '../src/store/view.ts';

/** Keeps what was written over restarts, names the window, and calls a person once for each thing that needs one. */
export const useDesk = (store: Store, desk: Desk, view: ViewState): void => {
  const session = view.session?.session ?? null;
  const { drafts, history } = view.ui;
  const recalled = useRef<string | null>(null);
  useEffect(() => {
    if (session === null || session === '') return;
    if (recalled.current === session) desk.remember(session, { drafts, history });
    else store.act({ type: 'recalled', written: desk.recall(session) });
    recalled.current = session;
  }, [store, desk, session, drafts, history]);

  // A screen that goes while one writes, or is turned to another session, loses nothing either.
  useEffect(
    () => () => {
      const { session: last, ui } = store.getState();
      if (last?.session) desk.remember(last.session, { drafts: draftsOf(ui), history: ui.history });
    },
    [store, desk],
  );

  const [problem = null] = bindingsOf(view).problems;
  useEffect(() => {
    if (problem !== null) store.act({ type: 'noticed', notice: { text: problem, tone: 'bad', stays: true } });
  }, [store, problem]);

  const title = selectTitle(view);
  useEffect(() => desk.title(title), [desk, title]);

  const called = useRef<ReadonlySet<string>>(new Set());
  const calls = selectCalls(view);
  const keys = calls.map((call) => call.key).join('\n');
  const { notify } = selectPreferences(view);
  const latest = useRef({ calls, notify });
  latest.current = { calls, notify };
  useEffect(() => {
    const fresh = latest.current.calls.filter((call) => !called.current.has(call.key));
    // Also of a session that the screen was turned away from, and may come back to.
    called.current = new Set([...called.current, ...keys.split('\n')]);
    const [first] = fresh;
    if (first)
      desk.call(fresh.length > 1 ? `${fresh.length} things need you` : first.text, latest.current.notify);
  }, [desk, keys]);
};
