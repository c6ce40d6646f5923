import type { SessionPaths } from '../../session/paths.ts';
import { type Cli, exitCodes } from '../cli.ts';
import type { Flags } from '../options.ts';
import type { OutputMode } from '../output-mode.ts';
import { inBackground } from '../report/summary.ts';
import { readJournalOf } from '../session/open-session.ts';
import { noteOpened } from '../session/seen-file.ts';
import type { World } from '../world.ts';

/** After a background host has started: reports it and ends, or (`host: background`) shows the session like any other. */
export const watchHosted = async (
  cli: Cli,
  world: World,
  paths: SessionPaths,
  pid: number,
  how: { readonly mode: OutputMode; readonly background?: boolean; readonly flags?: Flags },
): Promise<number> => {
  if (how.background) {
    noteOpened(cli, world, paths);
    if (how.mode === 'json') cli.printJson({ session_id: paths.session, host: { pid, alive: true } });
    else cli.print(inBackground(paths, pid));
    return exitCodes.done;
  }
  const { watchSession } = await import('./watch-session.ts');
  return watchSession(cli, readJournalOf(world, paths), how.mode, how.flags);
};
