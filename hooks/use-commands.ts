import { useInput, usePaste } from 'ink';
import type { Doing } from '../src/keymap/command.ts';
import { keysOf } from '../src/keymap/keys.ts';
import { paste, press } from '../src/keymap/press.ts';
import type { Store } from '../src/store/create-store.ts';
import type { IntentPort } from '../src/store/intent.ts';

/** The one place that reads keys: each goes through the command table, then to the store or to the port. */
export const useCommands = (store: Store, port: IntentPort): void => {
  const doAll = (doings: readonly Doing[]): void => {
    for (const doing of doings) {
      if (doing.kind === 'act') store.act(doing.action);
      else perform(store, port, doing);
    }
  };
  useInput((input, key) => {
    for (const pressed of keysOf(input, key)) {
      if (store.getState().notice !== null) store.act({ type: 'noticed', notice: null });
      // Each key sees what the one before it did, even when both came in one chunk.
      doAll(press(store.getState(), pressed));
    }
  });
  usePaste((text) => doAll(paste(store.getState(), text)));
};

const perform = (store: Store, port: IntentPort, doing: Extract<Doing, { kind: 'perform' }>): void => {
  port.perform(doing.intent).then(
    (sentence) => {
      if (sentence !== null) store.act({ type: 'noticed', notice: { text: sentence, tone: 'good' } });
    },
    (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      store.act({ type: 'noticed', notice: { text, tone: 'bad' } });
    },
  );
};
