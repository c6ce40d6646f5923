import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { onProcessSignals } from '../process-signals.ts';
import { hostLog } from './start-host.ts';

/** A session that continues in this program without a terminal. */
export interface Staying {
  readonly paths: SessionPaths;
  /** Stops the agents, verifies and saves. */
  readonly quit: () => Promise<void>;
  /** Resolves with the exit code once the session has ended and everything is on disk. */
  readonly ended: Promise<number>;
}

/**
 * Gives the terminal back to the shell, which gets `exitCode`, and hosts the sessions until they have ended. Of the signals only SIGTERM stops them: the
 * others come from a terminal that is not this program's any more. Returns the exit code of the last session.
 */
export const stayWithoutTerminal = async (
  cli: Cli,
  exitCode: number,
  staying: readonly [Staying, ...Staying[]],
): Promise<number> => {
  const release = onProcessSignals(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTSTP'], (name) => {
    if (name === 'SIGTERM') for (const { quit } of staying) void quit();
  });
  try {
    await cli.launcher?.letGo(exitCode, hostLog(staying[0].paths));
    const codes = await Promise.all(staying.map(({ ended }) => ended));
    return codes.at(-1) ?? exitCode;
  } finally {
    release();
  }
};
