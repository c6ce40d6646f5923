import { homedir } from 'node:os';
import { join } from 'node:path';
import { createSha1, createSha256, sha256 } from '../base/hash.io.ts';
import { createChanges } from '../changes/create-changes.ts';
import { createWorkFiles } from '../changes/files/work-files.io.ts';
import { createGit } from '../changes/git/git.io.ts';
import { withoutFilters } from '../changes/git/without-filters.ts';
import type { ChangesPort } from '../changes/port.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { Cli } from './cli.ts';
import { stateDirectory } from './state-directory.ts';
import type { World } from './world.ts';

/** The directory of all worktrees, of every repository. */
export const worktreesDirectory = (env: Cli['env']): string => join(stateDirectory(env), 'worktrees');

/** Worktrees, snapshots and merges over git. Worktrees are beside this program's own state, outside every repository. */
export const wireChanges = (
  env: Cli['env'],
  { random, clock }: Pick<World, 'random' | 'clock'>,
  {
    mostBytes,
    hasRunners = false,
  }: {
    /** Bytes of one answer of git. A longer one is a fault. */
    readonly mostBytes?: number | undefined;
    /** Work comes back from runners: no program of this machine gets its files. */
    readonly hasRunners?: boolean;
  } = {},
): ChangesPort => {
  const unique = (): string => random.hex(8);
  const git = createGit(env, mostBytes);
  return createChanges({
    git: hasRunners ? withoutFilters(git) : git,
    files: createWorkFiles(unique),
    root: worktreesDirectory(env),
    unique,
    hash: sha256,
    running: { sha1: createSha1, sha256: createSha256 },
    now: clock.now,
    personal: personalPlaces(env),
  });
};

const personalPlaces = (env: Cli['env']): { readonly home: string; readonly settings: string } => {
  const home = env['HOME'] || homedir();
  return { home, settings: join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git') };
};

/** Whether files of the session came back from a runner. */
export const hasWorkOfRunners = ({ changes }: Pick<SessionState, 'changes'>): boolean =>
  changes.workedOn.size > 0;
