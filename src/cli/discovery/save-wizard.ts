import { formatTimestamp } from '../../base/clock.ts';
import { guidanceFileName } from '../../session/guidance/guidance.ts';
import type { WizardResult } from '../../session/guidance/wizard-choices.ts';
import type { WizardEnd } from '../../store/overlays/wizard.ts';
import type { Cli } from '../cli.ts';
import { acceptFile, addAcknowledgements, saveGuidance } from '../trust/guidance-store.ts';
import type { World } from '../world.ts';

/** Keeps, accepts or saves guidance as the wizard ended. Returns what was done, as a sentence. */
export const obeyWizard = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  { guidance }: WizardEnd,
): string => {
  if (guidance === 'kept') return 'The guidance stays as it was.';
  if (guidance !== 'accepted') return saveWizard(cli, world, workspace, guidance);
  acceptFile(cli, world, workspace, guidanceFileName);
  return 'Accepted: this guidance counts from now on.';
};

/** Saves the wizard's result and acknowledges the chosen findings. Returns what was saved, as a sentence. */
export const saveWizard = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  { guidance, chosen }: WizardResult,
): string => {
  saveGuidance(cli, world, workspace, guidance);
  const at = formatTimestamp(world.clock);
  const lines = chosen.flatMap(({ id, severity }) => (severity === null ? [] : [{ id, severity, at }]));
  if (lines.length === 0) return 'Saved.';
  addAcknowledgements(cli, world, workspace, lines);
  return `Saved. ${lines.length} finding${lines.length === 1 ? '' : 's'} acknowledged.`;
};
