import { useApp } from 'ink';
import { useEffect } from 'react';
import type { Doing } from '../src/keymap/command.ts';
import type { Store } from '../src/store/create-store.ts';
import type { Desk, DeskWish } from '../src/store/desk.ts';
import type { IntentPort } from '../src/store/intent.ts';
import type { Mouse } from '../src/store/mouse.ts';
import { selectPreferences } from '../src/store/select-preferences.ts';

/** Does what keys and clicks come to: on this screen, of the run, or at the person's own desk. */
export const useDoings = (
  store: Store,
  port: IntentPort,
  desk: Desk,
  mouse: Mouse,
): ((doings: readonly Doing[]) => void) => {
  const { suspendTerminal } = useApp();
  const ask = async (wish: DeskWish): Promise<string | null> => {
    if (wish.type === 'copy') return desk.copy(wish.text);
    // The editor has the terminal to itself, as it was before this program came.
    mouse.turn(false);
    try {
      await suspendTerminal(() => write(wish, store, desk));
    } finally {
      mouse.turn(selectPreferences(store.getState()).mouse);
    }
    return null;
  };
  useEffect(() => {
    const takeBack = async (): Promise<void> => {
      // Given away and taken back: what somebody else has set is set anew, and all of the screen is drawn.
      await suspendTerminal(() => mouse.turn(false));
      mouse.turn(selectPreferences(store.getState()).mouse);
    };
    // Where an editor has it, it gets it back.
    return desk.continued(() => void takeBack().catch(() => {}));
  }, [suspendTerminal, store, desk, mouse]);
  return (doings) => {
    for (const doing of doings) {
      if (doing.kind === 'act') store.act(doing.action);
      else report(store, doing.kind === 'desk' ? ask(doing.wish) : port.perform(doing.intent));
    }
  };
};

const write = async (wish: Exclude<DeskWish, { type: 'copy' }>, store: Store, desk: Desk): Promise<void> => {
  if (wish.type === 'open') {
    await desk.open(wish.path);
    return store.act({ type: 'files-edited' });
  }
  if (wish.type === 'edit-plan') {
    const plan = await desk.edit(wish.text, 'plan.yaml');
    if (plan !== null) store.act({ type: 'plan-edited', text: plan });
    return;
  }
  const text = await desk.edit(wish.text);
  if (text !== null) store.act({ type: 'edited', edit: { type: 'set', text } });
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
