import { join } from 'node:path';
import envPaths from 'env-paths';
import { realPath } from '../agents/real-path.ts';
import { createDisk } from '../base/disk.io.ts';
import type { Cli } from './cli.ts';

/**
 * The directory of one person's viewer state, absolute: `$XDG_STATE_HOME/ralph-tui`. Links on the way there are resolved: git registers a worktree by its
 * real path, and a file is never written through a link.
 */
export const stateDirectory = (env: Cli['env']): string => {
  const home = env['XDG_STATE_HOME'];
  const wanted = home ? join(home, 'ralph-tui') : envPaths('ralph-tui', { suffix: '' }).log;
  return realPath(createDisk(), wanted) ?? wanted;
};

/** What our programs wrote into files of trackers, for all workspaces of this person. */
export const writtenFiles = (env: Cli['env']): string => join(stateDirectory(env), 'issues', 'written.jsonl');
