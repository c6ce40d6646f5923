import { useInput, usePaste } from 'ink';
import { useState } from 'react';
import type { CommandEffect } from '../components/command.ts';
import type { Store } from '../components/create-store.ts';
import { keysOf } from '../components/keys/keys.ts';
import { hasTail, isPasted, paste, pasteKeys } from '../components/keys/paste.ts';
import type { PasteMarks } from '../components/keys/paste-marks.ts';
import { createPasteTail } from '../components/keys/paste-tail.ts';
import { press } from '../components/keys/press.ts';
import type { Clock } from '../src/base/clock.ts';

/** The one place that reads keys. Each key passes through the command table; pasted text is text or nothing. */
export const useCommands = (
  store: Store,
  clock: Clock,
  marks: PasteMarks,
  doAll: (effects: readonly CommandEffect[]) => void,
): void => {
  const [tail] = useState(() => createPasteTail(clock));
  useInput((input, key) => {
    const keys = keysOf(input, key);
    // A lone Esc belongs to no sequence, so it need not wait.
    const isTail = tail.isOpen() && !key.escape;
    if (isTail || ((!marks.isMarking() || tail.isNear()) && isPasted(store.getState(), keys))) {
      if (isTail || hasTail(store.getState(), keys)) tail.keepOpen('caught');
      return doAll(pasteKeys(store.getState(), keys, input));
    }
    for (const pressed of keys) {
      if (store.getState().notice !== null) store.act({ type: 'noticed', notice: null });
      // Each key sees the effects of the one before, even when both came in one chunk.
      doAll(press(store.getState(), pressed));
    }
  });
  usePaste((text) => {
    marks.sawMarked();
    tail.keepOpen('whole');
    doAll(paste(store.getState(), text));
  });
};
