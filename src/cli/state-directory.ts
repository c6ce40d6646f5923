import { join } from 'node:path';
import envPaths from 'env-paths';
import type { Cli } from './cli.ts';

/** The directory of one person's viewer state, absolute: `$XDG_STATE_HOME/ralph-tui`. */
export const stateDirectory = (env: Cli['env']): string => {
  const home = env['XDG_STATE_HOME'];
  return home ? join(home, 'ralph-tui') : envPaths('ralph-tui', { suffix: '' }).log;
};
