import { useApp } from 'ink';
import { useCallback, useEffect } from 'react';
import { heldFirst } from '../components/answer/here-commands.ts';
import type { CommandEffect } from '../components/command.ts';
import type { Store } from '../components/create-store.ts';
import type { Mouse } from '../components/keys/mouse.ts';
import type { IntentPort } from '../components/ports/intent.ts';
import { selectPreferences } from '../components/ports/select-preferences.ts';
import type { TerminalPort, TerminalRequest } from '../components/ports/terminal-port.ts';

/** Performs the effects of keys and clicks: on this screen, on the run, or at the person's terminal. */
export const useCommandEffects = (
  store: Store,
  port: IntentPort,
  terminal: TerminalPort,
  mouse: Mouse,
): ((effects: readonly CommandEffect[]) => void) => {
  const { suspendTerminal } = useApp();
  const ask = useCallback(
    async (request: TerminalRequest): Promise<string | null> => {
      if (request.type === 'copy') return terminal.copy(request.text);
      if (request.type === 'browse') return terminal.browse(request.url);
      // The other program gets the terminal as it was before this program started.
      mouse.turn(false);
      let answer: string | null = null;
      try {
        await suspendTerminal(async () => {
          if (request.type === 'suspend') answer = await terminal.suspend();
          else await write(request, store, terminal);
        });
      } finally {
        mouse.turn(selectPreferences(store.getState()).mouse);
      }
      return request.type === 'run' ? port.perform(request.next) : answer;
    },
    [suspendTerminal, store, port, terminal, mouse],
  );
  useEffect(
    () =>
      terminal.stopping(() => {
        // Where another program has the terminal, the screen has nothing to give.
        void ask({ type: 'suspend' }).catch(() => terminal.suspend());
      }),
    [ask, terminal],
  );
  useEffect(() => {
    const takeBack = async (): Promise<void> => {
      // Suspend and resume at once: resets modes that another program changed, and redraws the whole screen.
      await suspendTerminal(() => mouse.turn(false));
      mouse.turn(selectPreferences(store.getState()).mouse);
    };
    // An open editor gets the terminal back instead.
    return terminal.continued(() => void takeBack().catch(() => {}));
  }, [suspendTerminal, store, terminal, mouse]);
  return (effects) => {
    for (const effect of heldFirst(store.getState(), effects)) {
      if (effect.kind === 'act') store.act(effect.action);
      else report(store, effect.kind === 'terminal' ? ask(effect.request) : port.perform(effect.intent));
    }
  };
};

const write = async (
  request: Exclude<TerminalRequest, { type: 'copy' | 'browse' | 'suspend' }>,
  store: Store,
  terminal: TerminalPort,
): Promise<void> => {
  if (request.type === 'open') {
    await terminal.open(request.path, request.line);
    for (const path of request.also ?? []) await terminal.open(path);
    return store.act({ type: 'files-edited' });
  }
  if (request.type === 'run') return terminal.run(request.command);
  if (request.type === 'edit-plan') {
    const plan = await terminal.edit(request.text, 'plan.yaml');
    if (plan !== null) store.act({ type: 'plan-edited', text: plan });
    return;
  }
  if (request.type === 'edit-commands') {
    const commands = await terminal.edit(request.text, 'commands.yaml');
    if (commands !== null) store.act({ type: 'commands-edited', text: commands });
    return;
  }
  const text = await terminal.edit(request.text);
  if (text !== null) store.act({ type: 'edited', edit: { type: 'set', text } });
};

/** Shows the result as a sentence. */
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
