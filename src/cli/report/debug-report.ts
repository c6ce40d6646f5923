import { join } from 'node:path';
import { z } from 'zod';
import { DiskError } from '../../base/disk.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { type CollatedError, collate, mergeErrors } from '../../observability/debug/collate.ts';
import { type CallStats, debugStats, type StatsGroup } from '../../observability/debug/debug-stats.ts';
import { type ReadLogs, readDebugLogs } from '../../observability/debug/read-logs.ts';
import { type Cli, failure } from '../cli.ts';
import { debugDirectory } from '../session/debug/open-debug-log.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import { loadConfiguration } from '../settings/load-settings.ts';
import { createWorld, type World } from '../world.ts';

/** What was read, for scripts. */
interface Skipped {
  readonly directory: string;
  readonly logs: number;
  readonly foreign_files: number;
  readonly foreign_lines: number;
}

export interface Collated extends Skipped {
  /** Every known error. */
  readonly all: readonly CollatedError[];
  /** Keys of errors that were not known before. */
  readonly added: readonly string[];
  /** Keys of known errors that occurred again. */
  readonly grown: readonly string[];
}

/** Groups the errors of the logs and keeps them in `collated.json` beside the logs. */
export const collateLogs = (cli: Cli, since: number | null, dryRun: boolean): Collated => {
  const { world, directory, read } = readLogs(cli, since);
  const file = join(directory, 'collated.json');
  const known = readKnown(world, file);
  const all = mergeErrors(known, collate(read.records, sha256));
  const before = new Map(known.map((error) => [error.key, error.count]));
  const added = all.filter(({ key }) => !before.has(key));
  const grown = all.filter(({ key, count }) => (before.get(key) ?? count) < count);
  if (!dryRun && (added.length > 0 || grown.length > 0))
    replaceFile(world.disk, world.random, file, `${JSON.stringify({ errors: all }, null, 2)}\n`);
  return {
    ...skippedOf(directory, read),
    all,
    added: added.map(({ key }) => key),
    grown: grown.map(({ key }) => key),
  };
};

export const statsOfLogs = (
  cli: Cli,
  since: number | null,
  by: StatsGroup,
): Skipped & { readonly by: StatsGroup; readonly calls: readonly CallStats[] } => {
  const { world, directory, read } = readLogs(cli, since);
  const { clock } = world;
  const dayOf = (ms: number): string =>
    new Date(ms + clock.offsetMinutes(ms) * 60_000).toISOString().slice(0, 10);
  return { ...skippedOf(directory, read), by, calls: debugStats(read.records, by, dayOf) };
};

const readLogs = (cli: Cli, since: number | null) => {
  const world = createWorld();
  const workspace = findWorkspace(cli.cwd);
  const { settings } = loadConfiguration(cli, world, { workspace, attended: cli.hasPerson });
  const directory = debugDirectory(cli.env, workspace, settings);
  const from = since === null ? Number.NEGATIVE_INFINITY : world.clock.now() - since;
  return { world, directory, read: readDebugLogs(world.disk, directory, from) };
};

const skippedOf = (directory: string, { logs, foreignFiles, foreignLines }: ReadLogs): Skipped => ({
  directory,
  logs,
  foreign_files: foreignFiles,
  foreign_lines: foreignLines,
});

const knownSchema = z.object({
  errors: z.array(
    z.object({
      key: z.string(),
      label: z.literal('debug-auto'),
      signature: z.string(),
      count: z.number(),
      first_seen: z.string(),
      last_seen: z.string(),
      sample: z.string(),
      sessions: z.record(z.string(), z.number()),
    }),
  ),
});

/** A file that is not ours is never replaced. */
const readKnown = ({ disk }: World, file: string): readonly CollatedError[] => {
  const damaged = (what: string) =>
    failure({
      code: 'collated-unreadable',
      what,
      where: file,
      hint: 'move it elsewhere; the logs are unaffected',
    });
  let text: string | null;
  try {
    text = readText(disk, file);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    throw damaged(`cannot be read (${error.code})`);
  }
  if (text === null) return [];
  try {
    return knownSchema.parse(JSON.parse(text)).errors;
  } catch {
    throw damaged('is not a collection of errors');
  }
};
