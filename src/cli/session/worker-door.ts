import { join } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import { fromJson } from '../../base/json.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { type Listening, listeningSchema } from '../../mcp/workers/wire.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** Where the host of a session listens for workers: outside the workspace, in a folder of its user. */
const doorFile = (env: Cli['env'], { directory }: Pick<SessionPaths, 'directory'>): string =>
  join(stateDirectory(env), 'doors', `${sha256(directory).slice(0, 32)}.json`);

export const writeDoor = (
  env: Cli['env'],
  { disk, random }: Pick<World, 'disk' | 'random'>,
  paths: SessionPaths,
  at: Listening,
): void => {
  const file = doorFile(env, paths);
  disk.mkdir(join(file, '..'));
  replaceFile(disk, random, file, JSON.stringify(at));
};

/** `null`: no host of it listens. */
export const readDoor = (
  env: Cli['env'],
  { disk }: Pick<World, 'disk'>,
  paths: SessionPaths,
): Listening | null => {
  const text = readText(disk, doorFile(env, paths), 4_096);
  return text === null ? null : (listeningSchema.safeParse(fromJson(text)).data ?? null);
};

export const removeDoor = (
  env: Cli['env'],
  { disk }: Pick<World, 'disk'>,
  paths: SessionPaths,
  { token }: Listening,
): void => {
  const file = doorFile(env, paths);
  // The next host of the session may have written its own.
  const there = listeningSchema.safeParse(fromJson(readText(disk, file, 4_096) ?? 'null')).data;
  if (there?.token === token) disk.unlink(file);
};
