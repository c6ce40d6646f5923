import { formatFault, toFault } from '../../base/fault.ts';
import { openWizard, type WizardEnd, type WizardOffers } from '../../store/overlays/wizard.ts';
import { type Cli, Exit } from '../cli.ts';
import { obeyWizard } from '../discovery/save-wizard.ts';
import type { World } from '../world.ts';
import { askOnScreen } from './ask-on-screen.ts';

/**
 * Shows the wizard on a screen of its own and obeys its end. Returns the end with the sentence about it, or `null` when the person left and
 * nothing changed. A failure to save keeps the screen and the answers.
 */
export const askGuidance = (
  cli: Cli,
  world: World,
  workspace: string,
  offers: WizardOffers,
): Promise<{ readonly end: WizardEnd; readonly sentence: string } | null> =>
  askOnScreen(cli, world, workspace, openWizard(offers), (intent) =>
    intent.type === 'guided'
      ? { end: intent.end, sentence: obeyOrThrow(cli, world, workspace, intent.end) }
      : null,
  );

/** Obeys the end of the wizard. Throws an error with one sentence for the screen. */
export const obeyOrThrow = (cli: Cli, world: World, workspace: string, end: WizardEnd): string => {
  try {
    return obeyWizard(cli, world, workspace, end);
  } catch (error) {
    throw error instanceof Exit ? error : new Error(`nothing was saved: ${formatFault(toFault(error))}`);
  }
};
