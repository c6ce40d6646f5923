import type { SessionPaths } from '../session/paths.ts';
import { type Cli, exitCodes } from './cli.ts';
import type { OutputMode } from './hosting.ts';
import { readSession } from './open-session.ts';
import type { Flags } from './options.ts';
import { noteOpened } from './seen-file.ts';
import { inBackground } from './summary.ts';
import type { World } from './world.ts';

/** After a background host was started: says so and ends, or (`host: background`) shows it as any other program's session. */
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
  return watchSession(cli, readSession(world, paths), how.mode, how.flags);
};
