import { formatTimestamp } from '../base/clock.ts';
import { type AggregateOptions, aggregate } from './aggregate/aggregate.ts';
import type { DiscoveryPorts } from './ports.ts';
import { isScanFailure } from './records/scan-failure.ts';
import { countFindings, type Scan } from './records/scan-file.ts';
import { rules } from './rules/index.ts';
import { scanTree, type TreeScan, type TreeScanOptions } from './scanner/scan-tree.ts';
import { runSources, type Source, type SourceReport } from './sources.ts';

interface DiscoveryOptions extends TreeScanOptions, AggregateOptions {
  /** Absolute, with links resolved. */
  readonly projectDir: string;
  /** The prefix of the markers of started processes, unique for this scan. */
  readonly marker: string;
  /** The scanner's time limit, or `null` for none. */
  readonly scannerTimeoutMs: number | null;
  /** Sources beside the scanner, which `scanner: false` leaves out. */
  readonly sources: readonly Source[];
  readonly scanner: boolean;
  /** Called when each source ends. */
  readonly ended?: (report: SourceReport) => void;
  /** Stops all sources. */
  readonly signal?: AbortSignal;
}

/** A scan with its reports for people. */
export interface Discovery {
  readonly scan: Scan;
  readonly reports: readonly SourceReport[];
  /** Dropped findings in documentation, fixtures and generated files. */
  readonly quiet: number;
}

/** Runs the scanner and the other sources side by side and aggregates their findings (src/discovery/README.md). Writes nothing. */
export const discoverConstraints = async (
  ports: DiscoveryPorts,
  options: DiscoveryOptions,
): Promise<Discovery> => {
  let tree: TreeScan | null = null;
  const scanner: Source = {
    name: 'scanner',
    isGate: true,
    timeoutMs: options.scannerTimeoutMs,
    find: async (place) => {
      tree = await scanTree(ports, place, options, rules);
      return tree;
    },
  };
  const sources = [...(options.scanner ? [scanner] : []), ...options.sources];
  const reports = await runSources(ports, { ...options, sources });
  return discoveryOf(ports, options, reports, tree);
};

const discoveryOf = (
  { clock }: DiscoveryPorts,
  options: DiscoveryOptions,
  reports: readonly SourceReport[],
  tree: TreeScan | null,
): Discovery => {
  const { findings, aggregation } = aggregate(
    reports.flatMap((report) => report.findings),
    options,
  );
  const skipped = reports.flatMap(({ source, end }) => {
    if (end.kind === 'done') return [];
    return [{ source, reason: end.kind === 'failed' ? end.reason : 'timed out' }];
  });
  return {
    reports,
    quiet: tree?.quiet ?? 0,
    scan: {
      findings,
      metadata: {
        _type: 'metadata',
        scan_timestamp: formatTimestamp(clock),
        project_dir: options.projectDir,
        worktree_type: tree?.repository.worktreeType ?? 'not_git',
        main_repo_root: tree?.repository.mainRepoRoot ?? null,
        sources: reports.filter(({ end }) => end.kind === 'done').map(({ source }) => source),
        durations_ms: Object.fromEntries(reports.map(({ source, ms }) => [source, ms])),
        status: skipped.length === 0 && !findings.some(isScanFailure) ? 'complete' : 'partial',
        skipped_sources: skipped,
        skipped_files: tree?.skippedFiles ?? { count: 0, first: [] },
        parse_errors: reports.reduce((sum, { parseErrors = 0 }) => sum + parseErrors, 0),
        counts: countFindings(findings),
        aggregation,
        error: tree?.error ?? null,
        schema: 1,
      },
    },
  };
};
