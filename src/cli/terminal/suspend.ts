import type { Clock } from '../../base/clock.ts';
import { hasTerminal } from '../../base/process/process-table.io.ts';
import { stopGroup, suspendTree } from '../../base/process/suspend.io.ts';
import { withUsualStop } from '../process-signals.ts';

/** How often a program that a shell continued in the background (`bg`) looks whether it has the terminal. A shell sends nothing at `fg` then. */
const lookEveryMs = 250;

/** Stops this program with its agents until the shell continues it. */
export const standStill = (): void => suspendTree(() => withUsualStop(stopGroup));

/**
 * Stops this program with its agents until the shell continues it, and resolves when it has the terminal: after `fg`. After `bg` the session goes on
 * without a screen until then.
 */
export const suspendUntilForeground = async (clock: Clock): Promise<void> => {
  standStill();
  while (!hasTerminal()) await new Promise<void>((resolve) => void clock.after(lookEveryMs, resolve));
  // The size may be another one, and only programs in the foreground are told.
  process.kill(process.pid, 'SIGWINCH');
};
