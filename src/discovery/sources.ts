import { afterAwake } from '../base/after-awake.ts';
import { toFault } from '../base/fault.ts';
import type { DiscoveryPorts, ScanPlace } from './ports.ts';
import { type Finding, findingId, sourceTimeout } from './records/finding.ts';
import { scanFailure } from './records/scan-failure.ts';

/** A source of constraints: the scanner, a probe, an explorer, or a foreign file. */
export interface Source {
  /** `scanner`, `env-scanner`, `explorer-memory` */
  readonly name: string;
  /** Milliseconds from the start of all sources. `null` for a source that only reads its input. */
  readonly timeoutMs: number | null;
  /** Agents start only after this source ended: its failure is a critical finding. */
  readonly isGate?: true;
  /** Gives its findings, each with its confidence. Checks `place.signal` between its steps. */
  readonly find: (place: ScanPlace) => Promise<SourceFindings>;
}

interface SourceFindings {
  readonly findings: readonly Finding[];
  readonly parseErrors?: number;
}

/** The report of an ended source. */
export interface SourceReport extends SourceFindings {
  readonly source: string;
  readonly ms: number;
  readonly end:
    | { readonly kind: 'done' }
    | { readonly kind: 'failed'; readonly reason: string }
    /** All its processes are verified gone, except the pids in `unverified`, which may still run. */
    | { readonly kind: 'timed-out'; readonly unverified: readonly number[] };
}

interface SourceRun {
  readonly projectDir: string;
  /** The prefix of the markers of all started processes, unique for this scan. */
  readonly marker: string;
  readonly sources: readonly Source[];
  /** Called when each source ends, in that order. */
  readonly ended?: (report: SourceReport) => void;
  /** Stops all sources: their processes are stopped, and they give nothing. */
  readonly signal?: AbortSignal;
}

/**
 * Runs all sources side by side. A late source gives nothing: its processes are stopped and verified gone, while the others continue. Never throws.
 * Reports are in the order of `sources`.
 */
export const runSources = (ports: DiscoveryPorts, run: SourceRun): Promise<readonly SourceReport[]> =>
  Promise.all(
    run.sources.map(async (source) => {
      const report = await runSource(ports, run, source);
      run.ended?.(report);
      return report;
    }),
  );

/** Short, because a read-only tool has nothing to clean up. */
const stopGraceMs = 250;

const runSource = async (ports: DiscoveryPorts, run: SourceRun, source: Source): Promise<SourceReport> => {
  const { clock, spawn } = ports;
  const begun = clock.monotonic();
  const marker = `${run.marker}/${source.name}`;
  const controller = new AbortController();
  const reportOf = (found: SourceFindings, end: SourceReport['end']): SourceReport => ({
    ...found,
    source: source.name,
    ms: Math.max(0, Math.round(clock.monotonic() - begun)),
    end,
  });
  let cancel = (): void => {};
  const late = new Promise<null>((resolve) => {
    if (source.timeoutMs !== null) cancel = afterAwake(clock, source.timeoutMs, () => resolve(null));
  });
  const stopped = Promise.withResolvers<null>();
  const stop = (): void => stopped.resolve(null);
  run.signal?.addEventListener('abort', stop);
  if (run.signal?.aborted) stop();
  try {
    const place = { projectDir: run.projectDir, marker, signal: controller.signal };
    const finding = source.find(place);
    // After the deadline its error reaches nobody.
    finding.catch(() => {});
    const found = await Promise.race([finding, late, stopped.promise]);
    if (found !== null) return reportOf(found, { kind: 'done' });
    controller.abort();
    const { unverified } = await spawn.stopMarked([marker], stopGraceMs);
    if (run.signal?.aborted) return reportOf({ findings: [] }, { kind: 'failed', reason: 'it was stopped' });
    return reportOf({ findings: [lateFinding(source)] }, { kind: 'timed-out', unverified });
  } catch (error) {
    controller.abort();
    return reportOf(failed(source, toFault(error).what), { kind: 'failed', reason: toFault(error).what });
  } finally {
    cancel();
    run.signal?.removeEventListener('abort', stop);
  }
};

/** A failed source gives nothing, but for the gate, whose failure is a finding. */
const failed = ({ name, isGate }: Source, reason: string): SourceFindings => ({
  findings: isGate
    ? [
        scanFailure({
          part: name,
          what: `the ${name} failed: ${reason}`,
          recommendation:
            'Run `ralph-tui scan` again; if it fails again, exclude the cause with `discovery.exclude`',
          files: [],
        }),
      ]
    : [],
});

/** Reports what a late source left unknown about the workspace. */
const lateFinding = ({ name, timeoutMs, isGate }: Source): Finding => {
  const limit = `${Math.round((timeoutMs ?? 0) / 100) / 10} s`;
  return isGate
    ? scanFailure({
        part: name,
        what: `the ${name} did not finish within ${limit}`,
        recommendation:
          'Give it more time with `discovery.timeout`, or exclude folders with `discovery.exclude`',
        files: [],
      })
    : lateProbe(name, limit);
};

const lateProbe = (name: string, limit: string): Finding => ({
  _type: 'constraint',
  id: findingId(sourceTimeout, name),
  severity: 'medium',
  category: sourceTimeout,
  description: `${name} did not finish within ${limit}; its findings are unknown`,
  file: null,
  line: null,
  value: name,
  occurrences: 1,
  locations: [],
  recommendation: 'Run `ralph-tui scan --timeout 60s` to give it more time',
  resolution_steps: [],
  tags: ['discovery'],
  affected_scope: null,
  source: name,
  confidence: 0.9,
  merged_with: [],
  conflicts_with: [],
  linked_from: null,
});

/** `env-scanner: 2 findings`, `config-discovery: error: …`, `integration-points: timed out, skipped (scanner and 2 probes are in)`. */
export const sourceSentence = (report: SourceReport, before: readonly SourceReport[]): string => {
  const { source, end, findings } = report;
  if (end.kind === 'failed') return `${source}: error: ${end.reason}`;
  if (end.kind === 'timed-out') {
    const left =
      end.unverified.length === 0 ? '' : `, could not verify that pid ${end.unverified.join(', ')} ended`;
    return `${source}: timed out, skipped (${sourcesIn(before)})${left}`;
  }
  return `${source}: ${findings.length} finding${findings.length === 1 ? '' : 's'}`;
};

const sourcesIn = (reports: readonly SourceReport[]): string => {
  const done = reports.filter(({ end }) => end.kind === 'done').map(({ source }) => source);
  const scanner = done.includes('scanner') ? ['scanner'] : [];
  const others = groupNames(done.filter((name) => name !== 'scanner'));
  const parts = [...scanner, ...others];
  return parts.length === 0
    ? 'no results yet'
    : `${parts.join(' and ')} ${parts.length === 1 && !/\d/.test(parts[0] ?? '') ? 'is' : 'are'} in`;
};

/** `2 probes`, `3 explorers`, `1 file` */
const groupNames = (names: readonly string[]): readonly string[] =>
  [...Map.groupBy(names, kindOfSource)].map(
    ([kind, all]) => `${all.length} ${kind}${all.length === 1 ? '' : 's'}`,
  );

/** The kind of source for a name. */
export const kindOfSource = (name: string): 'scanner' | 'probe' | 'explorer' | 'file' =>
  name === 'scanner'
    ? 'scanner'
    : name.startsWith('explorer')
      ? 'explorer'
      : probeNames.has(name)
        ? 'probe'
        : 'file';

const probeNames: ReadonlySet<string> = new Set(['env-scanner', 'config-discovery', 'integration-points']);
