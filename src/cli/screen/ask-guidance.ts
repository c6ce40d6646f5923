import { formatFault, toFault } from '../../base/fault.ts';
import { evolve } from '../../pipeline/evolve.ts';
import { sessionPaths } from '../../session/paths.ts';
import { createStore } from '../../store/create-store.ts';
import { openWizard, type WizardEnd, type WizardOffers } from '../../store/overlays/wizard.ts';
import { type Cli, Exit } from '../cli.ts';
import { obeyWizard } from '../discovery/save-wizard.ts';
import { stopOnSignals } from '../host/stop-on-signals.ts';
import { createViewerPort } from '../session/viewer-port.ts';
import type { World } from '../world.ts';
import { readPreferences } from './read-preferences.ts';
import { openScreen } from './screen.tsx';

/**
 * Shows the wizard on a screen of its own and obeys its end. Returns the end with the sentence about it, or `null` when the person left and
 * nothing changed. A failure to save keeps the screen and the answers.
 */
export const askGuidance = async (
  cli: Cli,
  world: World,
  workspace: string,
  offers: WizardOffers,
): Promise<{ readonly end: WizardEnd; readonly sentence: string } | null> => {
  const store = createStore({
    clock: world.clock,
    evolve,
    connection: 'stopped',
    canLeaveRunning: true,
    preferences: readPreferences(cli, world, workspace, null),
  });
  store.act({ type: 'overlay-opened', overlay: openWizard(offers) });
  let done: { readonly end: WizardEnd; readonly sentence: string } | null = null;
  const screen = openScreen(cli, {
    store,
    clock: world.clock,
    port: {
      viewer: createViewerPort(world, sessionPaths(workspace, '000000-000000'), cli.env),
      preview: async () => null,
      perform: async (intent) => {
        if (intent.type !== 'guided') return 'there is no session here';
        done = { end: intent.end, sentence: obeyOrThrow(cli, world, workspace, intent.end) };
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

/** Obeys the end of the wizard. Throws an error with one sentence for the screen. */
export const obeyOrThrow = (cli: Cli, world: World, workspace: string, end: WizardEnd): string => {
  try {
    return obeyWizard(cli, world, workspace, end);
  } catch (error) {
    throw error instanceof Exit ? error : new Error(`nothing was saved: ${formatFault(toFault(error))}`);
  }
};
