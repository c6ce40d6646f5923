import type { Finding } from '../../discovery/records/finding.ts';
import type { Cli } from '../cli.ts';
import { scanForGuidance, wizardOffers } from '../discovery/wizard-offers.ts';
import { type LoopStart, prepareLoop } from '../host/prepare-loop.ts';
import { askGuidance } from '../screen/ask-guidance.ts';
import type { World } from '../world.ts';

/** The answers to the wizard before a loop. */
interface AskedLoop<T> {
  /** The start with the chosen preset. */
  readonly start: T;
  /** What was found for the wizard, so that nothing has to be looked for twice. */
  readonly findings: readonly Finding[];
}

/**
 * Asks on the screen for the limits of a loop and for guidance (src/discovery/README.md, Wizard). `null` when the person left. Refuses a loop that cannot start
 * before the first question.
 */
export const askLoop = async <T extends LoopStart>(
  cli: Cli,
  world: World,
  start: T,
): Promise<AskedLoop<T> | null> => {
  prepareLoop(cli, world, start).release();
  const { workspace } = start;
  const findings = await scanForGuidance(cli, world, workspace);
  const offers = wizardOffers(cli, world, workspace, { loop: true, findings });
  const answer = await askGuidance(cli, world, workspace, offers);
  if (answer === null) return null;
  const { preset } = answer.end;
  return { start: preset === null ? start : { ...start, preset }, findings };
};
