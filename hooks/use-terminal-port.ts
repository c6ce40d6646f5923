import { useEffect, useRef } from 'react';
import type { Store } from '../components/create-store.ts';
import { bindingsOf } from '../components/keys/bindings.ts';
import { selectCalls, selectTitle } from '../components/needs/select-attention.ts';
import { selectPreferences } from '../components/ports/select-preferences.ts';
import type { TerminalPort } from '../components/ports/terminal-port.ts';
import type { ViewState } from '../components/view.ts';
import type { Clock } from '../src/base/clock.ts';
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
