import type { Cli } from '../cli.ts';
import { scanForWizard } from '../discovery/wizard-offers.ts';
import { type LoopStart, prepareLoop } from '../host/prepare-loop.ts';
import { askGuidance } from '../screen/ask-guidance.ts';
import type { World } from '../world.ts';

/**
 * Asks on the screen for the limits of a loop and for guidance (discovery.md, Wizard). Returns the start with the chosen preset, or `null`
 * when the person left. Refuses a loop that cannot start before the first question.
 */
export const askLoop = async <T extends LoopStart>(cli: Cli, world: World, start: T): Promise<T | null> => {
  prepareLoop(cli, world, start).release();
  const how = { loop: true, tell: cli.note };
  const offers = await scanForWizard(cli, world, start.workspace, how);
  const answer = await askGuidance(cli, world, start.workspace, offers);
  if (answer === null) return null;
  return answer.end.preset === null ? start : { ...start, preset: answer.end.preset };
};
