import { safe } from '../../base/safe.ts';
import type { Cli } from '../cli.ts';
import { untilEnded } from '../host/ending-host.ts';
import { type EngineRequest, wireEngine } from '../host/wire.ts';
import type { OutputMode } from '../output-mode.ts';
import { hostInLines } from '../plain/host-in-lines.ts';
import { summary } from '../report/summary.ts';
import { changedIn } from '../session/changes/changed-in.ts';
import type { OpenJournal } from '../session/open-session.ts';
import type { World } from '../world.ts';

/**
 * Runs a session in this program, shown in `mode`. Returns the exit code when everything is on disk. `known` is what
 * was read of its journal already.
 */
export const runSession = async (
  cli: Cli,
  world: World,
  request: EngineRequest,
  mode: OutputMode,
  known?: Pick<OpenJournal, 'events' | 'offset'>,
): Promise<number> => {
  if (mode === 'screen') {
    const { runOnScreen } = await import('../screen/run-on-screen.ts');
    return runOnScreen(cli, world, request, known);
  }
  await untilEnded(world, request, (sentence) => cli.note(`ralph-tui: ${sentence}`));
  const engine = wireEngine(cli, world, request);
  const { listen } = await import('../plain/screen-reader.ts');
  const stopListening =
    mode === 'reader' ? listen(cli, request.paths, { leave: () => void engine.quit('quit') }) : () => {};
  const end = await hostInLines(cli, engine, mode).finally(stopListening);
  if (mode !== 'json') {
    const changed = await changedIn(cli, world, request.paths, engine.state());
    cli.print(summary(request, end, engine.state(), changed));
  }
  // The session may have been told to be complete before the disk refused its end, and stdout may be on that disk.
  if (end.status === 'blocked') cli.note(`ralph-tui: ${safe(end.reason)}`);
  return end.exitCode;
};
