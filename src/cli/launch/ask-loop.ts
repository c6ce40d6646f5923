import type { Finding } from '../../discovery/records/finding.ts';
import { type GuidanceEnd, type GuidanceOffers, guidanceEnd } from '../../session/guidance/guidance-form.ts';
import type { Cli } from '../cli.ts';
import { obeyGuidance } from '../discovery/save-guidance.ts';
import { startDiscovery } from '../discovery/start-discovery.ts';
import { scanForGuidance, wizardOffers } from '../discovery/wizard-offers.ts';
import { type LoopStart, prepareLoop } from '../host/prepare-loop.ts';
import { askForm } from '../screen/ask-form.ts';
import type { World } from '../world.ts';
import { type Discovering, settleCritical } from './discover-first.ts';

/** The answers to the questions before a loop. */
interface AskedLoop<T> {
  /** The start with the chosen preset. */
  readonly start: T;
  /** What was found for the wizard, so that nothing has to be looked for twice. */
  readonly found: readonly Finding[];
  /** The critical findings that the person starts with. */
  readonly accepted: readonly Finding[];
}

/** Asks for limits and guidance on a screen of its own, and obeys the answers. */
const askGuidance = (
  cli: Cli,
  world: World,
  workspace: string,
  offers: GuidanceOffers,
): Promise<GuidanceEnd | null> =>
  askForm(cli, world, workspace, { kind: 'guidance', offers }, (answers) => {
    const end = guidanceEnd(offers, answers);
    obeyGuidance(cli, world, workspace, end);
    return end;
  });

/**
 * Asks about critical findings first, in lines, and then on the screen for the limits of a loop and for guidance (src/discovery/README.md, Wizard).
 * `null` when the person left. Refuses a loop that cannot start before the first question.
 */
export const askLoop = async <T extends LoopStart>(
  cli: Cli,
  world: World,
  start: T,
  look: Discovering,
  wizard: typeof askGuidance = askGuidance,
): Promise<AskedLoop<T> | null> => {
  const { request, release } = prepareLoop(cli, world, start);
  release();
  const { workspace } = start;
  const isLookedAt = look.discovery && request.discovers;
  for (;;) {
    const found = await scanForGuidance(cli, world, workspace);
    const known = isLookedAt ? startDiscovery(cli, world, workspace, cli.note, found) : null;
    const critical = look.despiteCritical ? [] : ((await known?.critical) ?? []);
    const answer = critical.length === 0 ? 'start' : await settleCritical(cli, world, workspace, critical);
    if (answer === 'stay') return null;
    if (answer === 'fixed') continue;
    const offers = wizardOffers(cli, world, workspace, { loop: true, findings: found });
    const end = await wizard(cli, world, workspace, offers);
    if (end === null) return null;
    const { preset } = end;
    return { start: preset === null ? start : { ...start, preset }, found, accepted: critical };
  }
};
