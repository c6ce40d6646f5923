import { type Cli, exitCodes } from '../cli.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';

/** Why the program must end: a signal asked for it, or the terminal is gone. */
export type Stop = 'asked' | 'gone';

/** Stops on a signal without a question: `host.quit` stops, verifies and saves. Returns the function that stops listening. */
export const stopOnSignals = (
  cli: Cli,
  host: { readonly quit: (stop: Stop) => Promise<void> },
): (() => void) => {
  let stopping = false;
  let asked = 0;
  // A closed window arrives as SIGHUP, as a stdin error and as a stdout error. Together they are one request,
  // not impatience.
  const stop = (why: Stop): void => {
    if (stopping) return;
    stopping = true;
    void host.quit(why);
  };
  const lost = (): void => stop('gone');
  const ask = (): void => {
    asked += 1;
    if (asked === 1) stop('asked');
    else if (asked === 2)
      cli.note('ralph-tui: stopping the agents and saving; signal again to leave without waiting');
    else process.exit(exitCodes.paused);
  };
  const release = onProcessSignals(endSignals, (name) => (name === 'SIGHUP' ? lost() : ask()));
  // An engine never keeps running unseen, however its reader was lost.
  const streams = [cli.stdout, cli.stdin];
  for (const stream of streams) stream.on('error', lost);
  const leaveLauncher = cli.launcher?.whenGone(lost);
  return () => {
    release();
    leaveLauncher?.();
    for (const stream of streams) stream.off('error', lost);
  };
};
