import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** A private place outside the workspace for second names of a session's files, while this program hosts it. */
interface ShadowPlace {
  readonly path: string;
  readonly drop: () => void;
}

/** Chooses the place, and removes those of programs that were killed. */
export const shadowPlace = (env: Cli['env'], { spawn }: World, { directory }: SessionPaths): ShadowPlace => {
  const root = join(stateDirectory(env), 'shadow');
  for (const name of namesOf(root)) {
    const pid = Number(/-(\d+)$/.exec(name)?.[1]);
    if (pid !== spawn.self.pid && !isRunning(pid)) remove(join(root, name));
  }
  const path = join(root, `${sha256(directory).slice(0, 16)}-${spawn.self.pid}`);
  return { path, drop: () => remove(path) };
};

const namesOf = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return Number.isInteger(pid) && process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Removes a path. A failure costs nothing: only names stay. */
const remove = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next program tries again.
  }
};
