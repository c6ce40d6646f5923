import { realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../agents/port.ts';
import { toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { type Discovery, discoverConstraints } from '../../discovery/discover-constraints.ts';
import { explorerSources } from '../../discovery/explorers/explorers.ts';
import { probeSources } from '../../discovery/probes/index.ts';
import { parseFindings } from '../../discovery/records/read-findings.ts';
import { type Source, type SourceReport, sourceSentence } from '../../discovery/sources.ts';
import { type Cli, failure } from '../cli.ts';
import type { World } from '../world.ts';
import { discoverySettings, isEnabled, timeoutOf } from './discovery-settings.ts';
import { watchExplorers } from './watch-explorers.ts';

/** The request from the command line. */
interface ScanRequest {
  /** Absolute. */
  readonly project: string;
  readonly allRoles: boolean;
  /** Findings of other tools as text, each with its display name. */
  readonly added: readonly { readonly name: string; readonly text: string }[];
  /** For all sources together; null for `discovery.timeout`. */
  readonly timeoutMs: number | null;
  readonly probes: boolean;
  readonly offline: boolean;
  /** Gets a sentence as each source ends; stderr by default. */
  readonly tell?: (sentence: string) => void;
  /** Gets the report of each source as it ends. */
  readonly ended?: (report: SourceReport) => void;
  /** Stops all sources. */
  readonly signal?: AbortSignal;
  /** The scanner shares the time of all sources. By default only its own timeout ends it, however many files there are. */
  readonly hurried?: boolean;
  /** The agent of the explorers, and its time. */
  readonly explore?: { readonly backend: Backend; readonly timeoutMs: number };
}

/** Runs one scan and reports each source on stderr as it ends. Throws a sentence and exit 1 when the directory is missing. */
export const runScan = async (cli: Cli, world: World, request: ScanRequest): Promise<Discovery> => {
  const projectDir = realDirectory(request.project);
  const told: SourceReport[] = [];
  const tell = request.tell ?? cli.note;
  const discovery = discoverySettings(cli, world, projectDir, tell);
  const sharedMs = request.timeoutMs ?? discovery.timeout;
  const ports = { disk: world.disk, clock: world.clock, spawn: world.spawn, env: cli.env };
  const home = cli.env['HOME'] || homedir();
  const probes = probeSources(ports, { home, offline: request.offline }, (name) =>
    timeoutOf(discovery, name, sharedMs),
  );
  const explorers = request.explore ? explorerSources(ports, request.explore) : [];
  const changes = request.explore ? watchExplorers(world.disk, projectDir) : () => null;
  // A directory, because agents keep a log beside the marker's place.
  const marker = join(tmpdir(), `ralph-tui-scan-${process.pid}-${world.random.hex(8)}`);
  return discoverConstraints(ports, {
    projectDir,
    marker,
    home,
    structure: discovery.structure,
    exclude: discovery.exclude,
    allRoles: request.allRoles,
    aggregateSimilar: discovery.aggregate_similar,
    minConfidence: discovery.min_confidence_threshold,
    scanner: isEnabled(discovery, 'scanner'),
    scannerTimeoutMs: discovery.sources['scanner']?.timeout ?? (request.hurried ? sharedMs : null),
    ...(request.signal ? { signal: request.signal } : {}),
    sources: [
      ...(request.probes ? probes.filter(({ name }) => isEnabled(discovery, name)) : []),
      ...explorers,
      ...request.added.map((added) => addedSource(world, projectDir, added)),
    ],
    ended: (report) => {
      tell(safe(sourceSentence(report, told)));
      told.push(report);
      request.ended?.(report);
    },
  }).finally(() => {
    rmSync(marker, { recursive: true, force: true });
    const changed = changes();
    if (changed !== null) tell(safe(`ralph-tui: ${changed}`));
  });
};

const realDirectory = (path: string): string => {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = toFault(error);
    throw failure({
      code: code === 'unexpected' ? 'no-directory' : code,
      what: 'the directory to scan does not exist or cannot be entered',
      where: path,
      hint: 'name one with --project',
    });
  }
};

const addedSource = (
  { disk }: World,
  projectDir: string,
  { name, text }: ScanRequest['added'][number],
): Source => ({
  name,
  timeoutMs: null,
  find: () => {
    const reader = {
      source: name,
      ownNames: true,
      onlyRecords: true,
      projectDir,
      exists: (file: string) => disk.lstat(join(projectDir, file)) !== null,
    };
    return Promise.resolve(parseFindings(text, reader).value);
  },
});
