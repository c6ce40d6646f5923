import { join } from 'node:path';
import { diskCode } from '../../base/disk.ts';
import { runTool, type ToolResult } from '../../base/process/run-tool.ts';
import { readText } from '../../base/replace-file.ts';
import type { DiscoveryPorts, ScanPlace } from '../ports.ts';
import { type Finding, findingId } from '../records/finding.ts';

/** The probes' options beside the place of the scan. */
export interface ProbeOptions {
  /** The user's home directory. */
  readonly home: string;
  /** Uses no network and checks no login. */
  readonly offline: boolean;
}

/** A check of a workspace's environment: one file in `probes/`, one line in `probes/index.ts`. Gives no critical finding and blocks nothing. */
export interface Probe {
  readonly name: string;
  readonly find: (context: ProbeContext) => Promise<readonly Finding[]>;
}

export interface ProbeContext extends ProbeOptions {
  readonly ports: DiscoveryPorts;
  readonly place: ScanPlace;
  /** Gives the text of a small project file, or `null`. */
  readonly read: (path: string) => string | null;
  readonly has: (path: string) => boolean;
  /** Runs an installed tool outside the project for at most 5 s: `npm --version` in a project would read its `.npmrc`. */
  readonly tool: (argv: readonly string[], inherit?: readonly string[]) => Promise<ToolResult>;
}

const toolTimeoutMs = 5_000;

export const createProbeContext = (
  ports: DiscoveryPorts,
  place: ScanPlace,
  options: ProbeOptions,
): ProbeContext => ({
  ...options,
  ports,
  place,
  read: (path) => {
    try {
      return readText(ports.disk, join(place.projectDir, path), 1_048_576);
    } catch (error) {
      if (diskCode(error) !== '') return null;
      throw error;
    }
  },
  has: (path) => ports.disk.lstat(join(place.projectDir, path)) !== null,
  tool: (argv, inherit = []) => runTool(ports, place, { argv, timeoutMs: toolTimeoutMs, inherit, cwd: '/' }),
});

/** A finding of a probe. Its id consists of category and value. */
export const probeFinding = (
  source: string,
  found: Pick<Finding, 'category' | 'severity' | 'description' | 'recommendation'> & {
    readonly value: string;
    readonly file?: string;
    readonly steps?: readonly string[];
  },
): Finding => {
  const { steps = [], file = null, ...rest } = found;
  return {
    _type: 'constraint',
    id: findingId(found.category, found.value),
    severity: rest.severity,
    category: rest.category,
    description: rest.description,
    file,
    line: null,
    value: rest.value,
    occurrences: 1,
    locations: file === null ? [] : [{ file, line: null }],
    recommendation: rest.recommendation,
    resolution_steps: steps,
    tags: ['environment'],
    affected_scope: null,
    source,
    confidence: 0.9,
    merged_with: [],
    conflicts_with: [],
    linked_from: null,
  };
};
