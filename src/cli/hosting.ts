import type { Engine, SessionEnd } from '../engine/engine.ts';
import { type Cli, exitCodes, failure } from './cli.ts';
import { createPlainLog } from './plain-log.ts';

/** How a session is shown while this program hosts it. */
export type OutputMode = 'screen' | 'plain' | 'json' | 'reader';

/** Full screen where there is a terminal, else the plain log; `--json` and `--headless` say so themselves. */
export const outputMode = (
  cli: Cli,
  options: { readonly json?: boolean; readonly headless?: boolean; readonly screenReader?: boolean },
): OutputMode => {
  if (options.json) return 'json';
  if (options.screenReader) return 'reader';
  return options.headless || !cli.hasScreen ? 'plain' : 'screen';
};

/**
 * Starts the engine, shows it, and resolves with the exit code when everything is on disk. SIGINT, SIGTERM and SIGHUP stop the agents,
 * verify that they are gone and save; a third one no longer waits.
 */
export const host = async (
  cli: Cli,
  engine: Engine,
  mode: Exclude<OutputMode, 'screen'>,
): Promise<SessionEnd> => {
  const plain = createPlainLog(cli.print);
  let over = false;
  const release = engine.subscribe((event) => {
    // What follows the end is bookkeeping: the promise is that `session.stopped` comes last.
    if (over) return;
    over = event.type === 'session.stopped';
    if (mode === 'json') cli.printJson(event);
    else plain(event);
  });
  const ignore = stopOnSignals(cli, { quit: () => engine.quit('quit') });
  try {
    const fault = await engine.start();
    if (fault) throw failure(fault);
    return await engine.settled();
  } finally {
    ignore();
    release();
  }
};

/** What came from outside: somebody asked for the end, or the terminal is gone. */
export type Stop = 'asked' | 'gone';

/** Signals from outside are no question: `host.quit` stops, verifies and saves. Gives the way to stop listening. */
export const stopOnSignals = (
  cli: Cli,
  host: { readonly quit: (stop: Stop) => Promise<void> },
): (() => void) => {
  let stopping = false;
  let asked = 0;
  // A closed window comes as SIGHUP, as an error of stdin and as one of stdout: together they are one wish, and no impatience.
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
      cli.note('ralph-tui: stopping the agents and saving; once more to leave without waiting');
    else process.exit(exitCodes.paused);
  };
  const patient = ['SIGINT', 'SIGTERM'] as const;
  for (const name of patient) process.on(name, ask);
  process.on('SIGHUP', lost);
  // An engine never runs on unseen, whatever it is that took its reader away.
  const streams = [cli.stdout, cli.stdin];
  for (const stream of streams) stream.on('error', lost);
  return () => {
    for (const name of patient) process.off(name, ask);
    process.off('SIGHUP', lost);
    for (const stream of streams) stream.off('error', lost);
  };
};
