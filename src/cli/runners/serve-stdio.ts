import { join } from 'node:path';
import type { AgentTools } from '../../agents/tools.ts';
import { joinProxy, openLoopback } from '../../runners/fence/proxy.io.ts';
import { keepAlone, tidyLinks } from '../../runners/serve/keep-alone.ts';
import { attachStreams, joinKeeper, keepLink, socketOf } from '../../runners/serve/keeper.io.ts';
import { lowerRights } from '../../runners/serve/lower-rights.io.ts';
import { type Cli, usage } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import { createWorld, type World } from '../world.ts';
import { serveWork } from './serve-work.ts';

export interface RunnerOptions {
  /** Serves one link on stdin and stdout. */
  readonly stdio?: boolean;
  /** Keeps the work of this link when the connection ends. */
  readonly link?: string;
  /** The keeper itself. */
  readonly keep?: string;
  /** Where it works, absolute. No other process does: what lies there was left behind. */
  readonly in?: string;
  /** The id to become before anything is served. */
  readonly lowerTo?: string;
}

/** Serves one link to a host. Returns the exit code when it is over. */
export const serveRunner = async (
  cli: Cli,
  toolsOf: (world: World) => AgentTools,
  { stdio, link, keep, in: own, lowerTo }: RunnerOptions,
): Promise<number> => {
  if (lowerTo !== undefined) lowerRights(Number(lowerTo), cli.env['HOME'] ?? '/');
  const directory = own ?? join(stateDirectory(cli.env), 'runner');
  const name = keep ?? link;
  if (name !== undefined && !/^[0-9a-f]{16}$/u.test(name))
    throw usage('the name of a link must be 16 hexadecimal digits');
  if (keep !== undefined) {
    const world = createWorld();
    const release = keepAlone(world, join(directory, 'links', keep));
    if (release === null) return 0;
    tidyLinks(world, join(directory, 'links'), (each) => socketOf(directory, each));
    const { attach, over } = serveWork(cli, world, toolsOf, { directory, link: keep, isFenced: false });
    await keepLink(socketOf(directory, keep), attach, over);
    release();
    return 0;
  }
  if (stdio !== true) throw usage('nothing to serve', '`ralph-tui runner --stdio` serves one link');
  if (link !== undefined) {
    const [program = '', script = ''] = [process.execPath, process.argv[1]];
    const keeper = [program, script, 'runner', '--keep', link];
    return joinKeeper(socketOf(directory, link), keeper, { input: cli.stdin, output: cli.stdout });
  }
  const world = own === undefined ? createWorld() : alone(createWorld());
  const { attach, over } = serveWork(await withProxy(cli), world, toolsOf, {
    directory,
    link: null,
    isFenced: own !== undefined,
  });
  attachStreams(cli.stdin, cli.stdout, attach, () => cli.stdin.destroy());
  await over;
  return 0;
};

/** Processes of earlier fences cannot be seen from this one. They are gone: a fence ends with all that runs in it, before the next one begins. */
const alone = (world: World): World => ({
  ...world,
  spawn: {
    ...world.spawn,
    isAlive: (identity) => (world.spawn.isAlive(identity) === 'alive' ? 'alive' : 'dead'),
  },
});

/** Inside a fence, programs reach their model through its proxy: the usual variables name it. */
const withProxy = async (cli: Cli): Promise<Cli> => {
  const { RALPH_FENCE_PROXY: socket, RALPH_FENCE_LOOPBACK: entries = '', ...env } = cli.env;
  if (socket === undefined) return cli;
  await openLoopback(
    socket,
    entries.split(',').filter((entry) => entry !== ''),
  );
  const url = await joinProxy(socket);
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  const proxies = Object.fromEntries(names.map((name) => [name, url]));
  return { ...cli, env: { ...env, ...proxies, NO_PROXY: '127.0.0.1,localhost', NODE_USE_ENV_PROXY: '1' } };
};
