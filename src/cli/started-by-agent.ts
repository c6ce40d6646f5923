import { belongsToRun } from '../base/process/peer.io.ts';
import type { Cli } from './cli.ts';

/** An agent, or a command of one, started this program, directly or through others: it is no person. */
export const isStartedByAgent = (env: Cli['env']): boolean =>
  env['RALPH_RUN'] !== undefined || belongsToRun(process.pid);
