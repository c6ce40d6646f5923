import { formatTimestamp } from '../../base/clock.ts';
import { formatFault, toFault } from '../../base/fault.ts';
import { guidanceFileName } from '../../session/guidance/guidance.ts';
import type { GuidanceEnd } from '../../session/guidance/guidance-form.ts';
import type { WizardResult } from '../../session/guidance/wizard-choices.ts';
import { type Cli, Exit } from '../cli.ts';
import { acceptFile, addAcknowledgements, saveGuidance } from '../trust/guidance-store.ts';
import type { World } from '../world.ts';

/** Keeps, accepts or saves guidance as its form ended. Returns what was done, as a sentence; throws one. */
export const obeyGuidance = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  { guidance }: GuidanceEnd,
): string => {
  if (guidance === 'kept') return 'The guidance is unchanged.';
  try {
    if (guidance !== 'accepted') return saved(cli, world, workspace, guidance);
    acceptFile(cli, world, workspace, guidanceFileName);
    return 'Accepted: this guidance applies from now on.';
  } catch (error) {
    throw error instanceof Exit ? error : new Error(`nothing was saved: ${formatFault(toFault(error))}`);
  }
};

/** Saves the result and acknowledges the chosen findings. */
const saved = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  { guidance, chosen }: WizardResult,
): string => {
  saveGuidance(cli, world, workspace, guidance);
  const at = formatTimestamp(world.clock);
  const lines = chosen.flatMap(({ id, severity }) => (severity ? [{ id, severity, at }] : []));
  if (lines.length === 0) return 'Saved.';
  addAcknowledgements(cli, world, workspace, lines);
  return `Saved. ${lines.length} finding${lines.length === 1 ? '' : 's'} acknowledged.`;
};
