import type { Engine, SessionEnd } from '../../engine/engine.ts';
import { type Cli, refusedStart } from '../cli.ts';
import { stopOnSignals } from '../host/stop-on-signals.ts';
import type { OutputMode } from '../output-mode.ts';
import { onProcessSignals } from '../process-signals.ts';
import { standStill } from '../terminal/suspend.ts';
import { createPlainLog } from './plain-log.ts';

/**
 * Starts the engine, shows it, and resolves with the exit code when everything is on disk. SIGINT, SIGTERM and
 * SIGHUP stop the agents, verify that they are gone and save. A third signal exits at once. ctrl-z stops the agents too, until the shell continues
 * this program.
 */
export const hostInLines = async (
  cli: Cli,
  engine: Engine,
  mode: Exclude<OutputMode, 'screen'>,
): Promise<SessionEnd> => {
  const plain = createPlainLog(cli.print, { hasPrompt: mode === 'reader' });
  let over = false;
  const release = engine.subscribe((event) => {
    // Events after the end are bookkeeping: `session.stopped` must be printed last.
    if (over) return;
    over = event.type === 'session.stopped';
    if (mode === 'json') cli.printJson(event);
    else plain(event);
  });
  const ignoreSignals = stopOnSignals(cli, { quit: () => engine.quit('quit') });
  const ignoreStops = onProcessSignals(['SIGTSTP'], standStill);
  if (mode === 'reader') engine.shown();
  try {
    const fault = await engine.start();
    if (fault) throw refusedStart(fault);
    return await engine.settled();
  } finally {
    ignoreStops();
    ignoreSignals();
    release();
  }
};
