import type { Overlay } from '../../../components/overlay.ts';
import type { Intent } from '../../../components/ports/intent.ts';
import { noIssues } from '../../../components/ports/issues-port.ts';
import type { Cli } from '../cli.ts';
import { stopOnSignals } from '../host/stop-on-signals.ts';
import type { World } from '../world.ts';
import { blankPort, blankStore } from './blank-screen.ts';
import { openScreen } from './screen.tsx';

/**
 * Shows one overlay on a screen of its own. `answer` performs the intent that ends it, and gives `null` for any other. Resolves with its result, or
 * `null` when the person left. When `answer` throws, the screen stays with the sentence.
 */
export const askOnScreen = async <T>(
  cli: Cli,
  world: World,
  workspace: string,
  overlay: Overlay,
  answer: (intent: Intent) => T | null,
): Promise<T | null> => {
  const store = blankStore(cli, world, workspace);
  store.act({ type: 'overlay-opened', overlay });
  let done: T | null = null;
  const screen = openScreen(cli, {
    store,
    clock: world.clock,
    port: {
      ...blankPort(cli, world, workspace),
      issues: noIssues,
      perform: async (intent) => {
        done = answer(intent);
        if (done === null) return 'there is no session here';
        screen.close();
        return null;
      },
    },
    quit: async () => {},
  });
  const release = stopOnSignals(cli, { quit: async () => screen.close() });
  const broken = await screen.gone.finally(release);
  if (broken) throw broken;
  return done;
};
