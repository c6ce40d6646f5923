import { callHost } from '../../mcp/workers/call-host.io.ts';
import type { Dialled } from '../../mcp/workers/create-worker-calls.ts';
import { readSessions } from '../../session/session-list.ts';
import { isComplete } from '../../session/status.ts';
import { type Cli, Exit } from '../cli.ts';
import { findWorkspace } from '../session/find-workspace.ts';
import type { OpenSession } from '../session/open-session.ts';
import { readDoor } from '../session/worker-door.ts';
import type { World } from '../world.ts';
import { openLive } from './open-live.ts';

/** Which session a worker calls. */
interface Wanted {
  /** From `--session`. */
  readonly named: string | undefined;
  /** The one that it was in before. */
  readonly known: string | null;
}

/**
 * Connects a worker to the program that runs its session: the named one, else the one that it was in until that is complete, else the newest unfinished one.
 */
export const dialHost = async (cli: Cli, world: World, wanted: Wanted): Promise<Dialled> => {
  const { paths, host } = openWanted(cli, wanted.named ?? unfinished(cli, world, wanted.known));
  const { session } = paths;
  if (host?.alive !== true)
    throw new Error(`no program is running session ${session}: \`ralph-tui resume ${session}\``);
  const at = readDoor(cli.env, world, paths);
  if (at === null)
    throw new Error(`session ${session} has no team: \`ralph-tui run --issue ID --mode team\` starts one`);
  return { line: await callHost(at), token: at.token, session };
};

const openWanted = (cli: Cli, id: string | undefined): OpenSession => {
  try {
    return openLive(cli, id);
  } catch (error) {
    if (error instanceof Exit && error.fault.code === 'no-session' && id === undefined)
      throw new Error('no team is working here: `ralph-tui run --issue ID --mode team` starts one');
    throw error;
  }
};

/** The id of this session, while it is there and not complete. */
const unfinished = (cli: Cli, world: World, id: string | null): string | undefined =>
  id === null
    ? undefined
    : readSessions(world.disk, findWorkspace(cli.cwd)).value.find(
        (each) => each.session === id && !isComplete(each),
      )?.session;
