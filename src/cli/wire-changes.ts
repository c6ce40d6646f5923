import { join } from 'node:path';
import { sha256 } from '../base/hash.io.ts';
import { createChanges } from '../changes/create-changes.ts';
import { createWorkFiles } from '../changes/files/work-files.io.ts';
import { createGit } from '../changes/git/git.io.ts';
import type { ChangesPort } from '../changes/port.ts';
import type { Cli } from './cli.ts';
import { stateDirectory } from './state-directory.ts';
import type { World } from './world.ts';

/** The directory of all worktrees, of every repository. */
export const worktreesDirectory = (env: Cli['env']): string => join(stateDirectory(env), 'worktrees');

/** Worktrees, snapshots and merges over git. Worktrees are beside this program's own state, outside every repository. */
export const wireChanges = (
  env: Cli['env'],
  { random, clock }: Pick<World, 'random' | 'clock'>,
  /** Bytes of one answer of git. A longer one is a fault. */
  mostBytes?: number,
): ChangesPort => {
  const unique = (): string => random.hex(8);
  return createChanges({
    git: createGit(env, mostBytes),
    files: createWorkFiles(unique),
    root: worktreesDirectory(env),
    unique,
    hash: sha256,
    now: clock.now,
  });
};
