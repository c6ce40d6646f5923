import { useEffect, useRef } from 'react';
import type { Clock } from '../src/base/clock.ts';
import { bindingsOf } from '../src/keymap/bindings.ts';
import type { Store } from '../src/store/create-store.ts';
import type { TerminalPort } from '../src/store/ports/terminal-port.ts';
import { selectPreferences } from '../src/store/select-preferences.ts';
import { selectCalls, selectTitle } from '../src/store/signals/select-attention.ts';
import type { ViewState } from '../src/store/view.ts';
import { useWritten } from './use-written.ts';

/** Keeps drafts and history across restarts, sets the window title, and calls the person once for each thing that needs one. */
export const useTerminalPort = (
  store: Store,
  terminal: TerminalPort,
  clock: Clock,
  view: ViewState,
): void => {
  useWritten(store, terminal, clock, view);

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
