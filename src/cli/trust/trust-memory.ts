import { join } from 'node:path';
import { z } from 'zod';
import { formatTimestamp } from '../../base/clock.ts';
import { sha256 } from '../../base/hash.io.ts';
import { fromJson } from '../../base/json.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import type { Cli } from '../cli.ts';
import { isPrivate } from '../session/proof/is-private.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** Bytes that a person has accepted in a workspace. */
interface Trusted {
  readonly workspace: string;
  /** `plan.yaml`, `.ralph/config.yaml`, `session 260215-101500` */
  readonly name: string;
  readonly sha256: string;
  /** ISO 8601 with the local offset. */
  readonly at: string;
}

const trustedSchema = z.object({
  workspace: z.string(),
  name: z.string(),
  sha256: z.string(),
  at: z.string(),
});

/**
 * Remembers one trusted thing in a small file of its own (`$XDG_STATE_HOME/ralph-tui/trust/`, 0600), replaced
 * as a whole. Concurrent programs never undo each other's answers.
 */
export const rememberTrust = (env: Cli['env'], world: World, trusted: Trusted): boolean => {
  try {
    const directory = trustDirectory(env);
    world.disk.mkdir(directory);
    const file = join(directory, fileName(trusted.workspace, trusted.name));
    replaceFile(world.disk, world.random, file, `${JSON.stringify(trusted, null, 1)}\n`);
    forgetOldest(world, directory);
    return true;
  } catch {
    // With an unwritable home the question is asked again next time, which is safe.
    return false;
  }
};

/** Remembers a file's text as accepted because a person wrote it on this program's screen. `file`: relative to the workspace. */
export const rememberOwnText = (
  env: Cli['env'],
  world: World,
  workspace: string,
  file: string,
  text: string,
): void => {
  const at = formatTimestamp(world.clock);
  rememberTrust(env, world, { workspace, name: file, sha256: sha256(text), at });
};

/** The accepted bytes under this name. `null` when there are none, or when another user could have written the file. */
export const recallTrust = (
  env: Cli['env'],
  world: World,
  workspace: string,
  name: string,
): Trusted | null => {
  const directory = trustDirectory(env);
  const file = join(directory, fileName(workspace, name));
  try {
    if (!isPrivate(world, directory) || !isPrivate(world, file)) return null;
    const known = trustedSchema.safeParse(JSON.parse(readText(world.disk, file, 64 * 1024) ?? 'null'));
    return known.success && known.data.workspace === workspace && known.data.name === name
      ? known.data
      : null;
  } catch {
    return null;
  }
};

/** The names under which a person accepted something in a workspace. */
export const trustedNames = (env: Cli['env'], world: World, workspace: string): readonly string[] =>
  recordsOf(env, world, workspace).flatMap(({ name }) =>
    name !== null && recallTrust(env, world, workspace, name) !== null ? [name] : [],
  );

/** Withdraws all trust in a workspace, including its sessions; returns the names. */
export const forgetTrust = (env: Cli['env'], world: World, workspace: string): readonly string[] =>
  recordsOf(env, world, workspace)
    .flatMap(({ path, name }) => {
      world.disk.unlink(path);
      return name === null ? [] : [name];
    })
    .sort();

/** The files that remember something of a workspace, with the name in each; `null` where it cannot be read. */
const recordsOf = (env: Cli['env'], { disk }: World, workspace: string) => {
  const directory = trustDirectory(env);
  if (disk.lstat(directory) === null) return [];
  return disk
    .readdir(directory)
    .filter((file) => file.startsWith(`${keyOf(workspace)}-`))
    .map((file) => {
      const path = join(directory, file);
      const known = trustedSchema.safeParse(fromJson(readText(disk, path, 64 * 1024) ?? 'null'));
      return { path, name: known.success ? known.data.name : null };
    });
};

const trustDirectory = (env: Cli['env']): string => join(stateDirectory(env), 'trust');

const keyOf = (text: string): string => sha256(text).slice(0, 16);

const fileName = (workspace: string, name: string): string => `${keyOf(workspace)}-${keyOf(name)}.json`;

/** Most entries; the oldest are asked about again. */
const most = 1_000;

const forgetOldest = ({ disk }: World, directory: string): void => {
  const names = disk.readdir(directory).filter((name) => name.endsWith('.json'));
  if (names.length <= most) return;
  const aged = names.map((name) => [disk.lstat(join(directory, name))?.mtimeMs ?? 0, name] as const);
  for (const [, name] of aged.sort(([a], [b]) => a - b).slice(0, names.length - most))
    disk.unlink(join(directory, name));
};
