import { useInput, usePaste } from 'ink';
import { useRef } from 'react';
import type { Clock } from '../src/base/clock.ts';
import type { Doing } from '../src/keymap/command.ts';
import { keysOf } from '../src/keymap/keys.ts';
import { isPasted, paste, pasteKeys } from '../src/keymap/paste.ts';
import { press } from '../src/keymap/press.ts';
import type { Store } from '../src/store/create-store.ts';

/**
 * What follows a paste within this time came with it: a clipboard can hold the end of a paste and keys behind it, and long ones come in many
 * reads. No person presses a key that soon.
 */
const pasteTailMs = 50;

/** Characters in one read that more may follow upon. */
const longInput = 256;

/** The one place that reads keys: each goes through the command table, and what was pasted is text or nothing. */
export const useCommands = (store: Store, clock: Clock, doAll: (doings: readonly Doing[]) => void): void => {
  const pastedAt = useRef(Number.NEGATIVE_INFINITY);
  useInput((input, key) => {
    const keys = keysOf(input, key);
    const now = clock.monotonic();
    // Esc alone takes nothing that is not kept: it need not wait.
    const isTail = now - pastedAt.current < pasteTailMs && !key.escape;
    if (isTail || isPasted(store.getState(), keys)) {
      // Only what is long takes several reads.
      if (isTail || input.length >= longInput) pastedAt.current = now;
      return doAll(pasteKeys(store.getState(), keys, input));
    }
    for (const pressed of keys) {
      if (store.getState().notice !== null) store.act({ type: 'noticed', notice: null });
      // Each key sees what the one before it did, even when both came in one chunk.
      doAll(press(store.getState(), pressed));
    }
  });
  usePaste((text) => {
    pastedAt.current = clock.monotonic();
    doAll(paste(store.getState(), text));
  });
};
