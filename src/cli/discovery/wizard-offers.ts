import { safe } from '../../base/safe.ts';
import type { Finding } from '../../discovery/records/finding.ts';
import { avoidOptions, avoidQuestion, preferOptions } from '../../discovery/wizard/options.ts';
import type { GuidanceOffers } from '../../session/guidance/guidance-form.ts';
import { formatAgo } from '../../words/local-time.ts';
import type { Cli } from '../cli.ts';
import { readAcknowledged, readGuidance } from '../trust/guidance-store.ts';
import { mayUseLogins } from '../trust/network-trust.ts';
import type { World } from '../world.ts';
import { runScan } from './run-scan.ts';
import { scanFileIn, writeScan } from './write-scan.ts';

/** Scans a workspace for its guidance with what was allowed before, keeps the records, and returns the findings. `tell` gets a sentence as each source ends. */
export const scanForGuidance = async (
  cli: Cli,
  world: World,
  workspace: string,
  tell: (sentence: string) => void = cli.note,
): Promise<readonly Finding[]> => {
  const request = {
    project: workspace,
    allRoles: false,
    added: [],
    timeoutMs: null,
    probes: true,
    offline: !mayUseLogins(cli.env, world, workspace),
    tell,
  };
  const { scan } = await runScan(cli, world, request);
  writeScan(world, scan, scanFileIn(scan.metadata.project_dir));
  return scan.findings;
};

/** Scans a workspace, and collects everything that the wizard asks about. */
export const scanForWizard = async (
  cli: Cli,
  world: World,
  workspace: string,
  how: { readonly loop: boolean; readonly tell: (sentence: string) => void },
): Promise<GuidanceOffers> => {
  const findings = await scanForGuidance(cli, world, workspace, how.tell);
  return wizardOffers(cli, world, workspace, { loop: how.loop, findings });
};

/** The offers of the wizard for known findings. */
export const wizardOffers = (
  cli: Pick<Cli, 'env'>,
  world: World,
  workspace: string,
  { loop, findings }: { readonly loop: boolean; readonly findings: readonly Finding[] },
): GuidanceOffers => {
  const { said, trusted } = readGuidance(cli, world, workspace);
  const acknowledged = readAcknowledged(cli, world, workspace).value;
  const now = { ms: world.clock.now(), offset: 0 };
  const isDated = said.timestamp !== null && !Number.isNaN(Date.parse(said.timestamp));
  return {
    loop,
    stored: said,
    age: said.timestamp !== null && isDated ? safe(formatAgo(said.timestamp, now)) : null,
    foreign: !trusted,
    question: avoidQuestion(findings, acknowledged),
    avoid: avoidOptions(findings, acknowledged),
    prefer: preferOptions,
  };
};
