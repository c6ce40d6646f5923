import { useApp, useInput, usePaste } from 'ink';
import { useRef } from 'react';
import type { Doing } from '../src/keymap/command.ts';
import { keysOf } from '../src/keymap/keys.ts';
import { paste, press } from '../src/keymap/press.ts';
import type { Store } from '../src/store/create-store.ts';
import type { Desk, DeskWish } from '../src/store/desk.ts';
import type { IntentPort } from '../src/store/intent.ts';

/** The one place that reads keys: each goes through the command table, then to the store or to the port. */
export const useCommands = (store: Store, port: IntentPort, desk: Desk): void => {
  const { suspendTerminal } = useApp();
  const ask = async (wish: DeskWish): Promise<string | null> => {
    if (wish.type === 'copy') return desk.copy(wish.text);
    await suspendTerminal(async () => {
      if (wish.type === 'open') return desk.open(wish.path);
      if (wish.type === 'edit-plan') {
        const plan = await desk.edit(wish.text, 'plan.yaml');
        return plan === null ? undefined : store.act({ type: 'plan-edited', text: plan });
      }
      const text = await desk.edit(wish.text);
      if (text !== null) store.act({ type: 'edited', edit: { type: 'set', text } });
    });
    return null;
  };
  const doAll = (doings: readonly Doing[]): void => {
    for (const doing of doings) {
      if (doing.kind === 'act') store.act(doing.action);
      else report(store, doing.kind === 'desk' ? ask(doing.wish) : port.perform(doing.intent));
    }
  };
  const pasting = useRef(false);
  useInput((input, key) => {
    for (const pressed of keysOf(input, key)) {
      // A clipboard can hold the end of a paste and keys behind it. They come in one piece with it, as no person types: they are text, or nothing.
      if (pasting.current) {
        if (pressed.text !== null) doAll(paste(store.getState(), pressed.text));
        continue;
      }
      if (store.getState().notice !== null) store.act({ type: 'noticed', notice: null });
      // Each key sees what the one before it did, even when both came in one chunk.
      doAll(press(store.getState(), pressed));
    }
  });
  usePaste((text) => {
    pasting.current = true;
    // Whatever was read together is told before this.
    Promise.resolve().then(() => {
      pasting.current = false;
    });
    doAll(paste(store.getState(), text));
  });
};

/** Says what came of it, as a sentence. */
const report = (store: Store, answer: Promise<string | null>): void => {
  answer.then(
    (sentence) => {
      if (sentence !== null) store.act({ type: 'noticed', notice: { text: sentence, tone: 'good' } });
    },
    (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      store.act({ type: 'noticed', notice: { text, tone: 'bad' } });
    },
  );
};
