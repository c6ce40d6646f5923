import { callHost } from '../../mcp/workers/call-host.io.ts';
import type { Dialled } from '../../mcp/workers/create-worker-calls.ts';
import type { Cli } from '../cli.ts';
import { readDoor } from '../session/worker-door.ts';
import type { World } from '../world.ts';
import { openLive } from './open-live.ts';

/** Connects a worker to the program that runs the session. Without an id it is the newest unfinished one. */
export const dialHost = async (cli: Cli, world: World, id: string | undefined): Promise<Dialled> => {
  const { paths, host } = openLive(cli, id);
  const { session } = paths;
  if (host?.alive !== true)
    throw new Error(`no program runs session ${session}: \`ralph-tui resume ${session}\``);
  const at = readDoor(cli.env, world, paths);
  if (at === null)
    throw new Error(`session ${session} has no team: \`ralph-tui run --issue ID --mode team\` starts one`);
  return { line: await callHost(at), token: at.token, session };
};
