import { formatTimestamp } from '../../base/clock.ts';
import { toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { placeOf } from '../../discovery/format-scan.ts';
import type { Finding } from '../../discovery/records/finding.ts';
import { openFindings, scanFailure } from '../../discovery/records/scan-failure.ts';
import type { SourceReport } from '../../discovery/sources.ts';
import type { Cli } from '../cli.ts';
import { addAcknowledgements, readAcknowledged } from '../trust/guidance-store.ts';
import { mayUseLogins } from '../trust/network-trust.ts';
import type { World } from '../world.ts';
import { discoverySettings } from './discovery-settings.ts';
import { runScan } from './run-scan.ts';
import { scanFileIn, writeScan } from './write-scan.ts';

/** The discovery of one start. It runs beside everything else. */
export interface StartDiscovery {
  /** The critical findings that nobody acknowledged. Known once the scanner ended, because probes give none. */
  readonly critical: Promise<readonly Finding[]>;
  /** The number of findings that nobody acknowledged, by severity. `null` if it was stopped or failed. */
  readonly found: Promise<ReadonlyMap<string, number> | null>;
  /** Resolves when every source ended and the records are written. Never rejects. */
  readonly done: Promise<void>;
  /** Stops what still runs, with its processes. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts discovery for a workspace. `null` when `discovery.enabled` is off. `tell` gets a sentence as each source ends. With `known` findings nothing is
 * looked for.
 */
export const startDiscovery = (
  cli: Cli,
  world: World,
  workspace: string,
  tell: (sentence: string) => void,
  known?: readonly Finding[],
): StartDiscovery | null => {
  const discovery = discoverySettings(cli, world, workspace, () => {});
  if (!discovery.enabled) return null;
  if (known !== undefined) return ended(openOf(cli, world, workspace, known));
  const controller = new AbortController();
  const { promise: critical, resolve } = Promise.withResolvers<readonly Finding[]>();
  const sourceEnded = (report: SourceReport): void => {
    if (report.source === 'scanner') resolve(criticalIn(openOf(cli, world, workspace, report.findings)));
  };
  const run = async (): Promise<ReadonlyMap<string, number> | null> => {
    const { scan } = await runScan(cli, world, {
      project: workspace,
      allRoles: false,
      added: [],
      timeoutMs: null,
      probes: true,
      offline: !mayUseLogins(cli.env, world, workspace),
      hurried: true,
      signal: controller.signal,
      tell,
      ended: sourceEnded,
    });
    if (controller.signal.aborted) return null;
    writeScan(world, scan, scanFileIn(scan.metadata.project_dir));
    return bySeverity(openOf(cli, world, workspace, scan.findings));
  };
  // A start does not depend on records that could not be written, but it waits for a scanner that ended: until then every error is its failure.
  const found = run()
    .catch((error: unknown) => {
      if (!controller.signal.aborted) resolve([failedBefore(error)]);
      return null;
    })
    .finally(() => resolve([]));
  const done = found.then(() => {});
  return {
    critical,
    found,
    done,
    stop: async () => {
      controller.abort();
      await done;
    },
  };
};

const failedBefore = (error: unknown): Finding =>
  scanFailure({
    part: 'scanner',
    what: `the scanner could not run: ${toFault(error).what}`,
    recommendation: 'Run `ralph-tui scan`, which shows the error',
    files: [],
  });

/** A discovery that found these before. */
const ended = (open: readonly Finding[]): StartDiscovery => ({
  critical: Promise.resolve(criticalIn(open)),
  found: Promise.resolve(bySeverity(open)),
  done: Promise.resolve(),
  stop: async () => {},
});

/** The findings that nobody acknowledged. */
const openOf = (
  cli: Cli,
  world: World,
  workspace: string,
  findings: readonly Finding[],
): readonly Finding[] => openFindings(findings, readAcknowledged(cli, world, workspace).value);

const criticalIn = (open: readonly Finding[]): readonly Finding[] =>
  open.filter(({ severity }) => severity === 'critical');

const bySeverity = (open: readonly Finding[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(open, ({ severity }) => severity)].map(([key, all]) => [key, all.length]));

/** `src/a.ts:3 Your home directory /home/kim is written into the code`, safe to show. */
export const criticalLine = (finding: Finding): string =>
  safe(finding.file === null ? finding.description : `${placeOf(finding)} ${finding.description}`);

/** Records that a person starts despite these findings. They are folded from now on. */
export const acceptCritical = (
  cli: Cli,
  world: World,
  workspace: string,
  findings: readonly Finding[],
): void => {
  if (findings.length === 0) return;
  const at = formatTimestamp(world.clock);
  addAcknowledgements(
    cli,
    world,
    workspace,
    findings.map(({ id, severity }) => ({ id, severity, at, despite: true as const })),
  );
};
