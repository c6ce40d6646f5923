import { hostname } from 'node:os';
import { join } from 'node:path';
import { createBackends } from '../../agents/backends/index.io.ts';
import type { AgentTools } from '../../agents/tools.ts';
import { late } from '../../base/memoise.ts';
import { createWorkFiles } from '../../changes/files/work-files.io.ts';
import { createGit } from '../../changes/git/git.io.ts';
import { joinProxy, openLoopback } from '../../runners/fence/proxy.io.ts';
import { foreignHello } from '../../runners/link/link.ts';
import { createCache } from '../../runners/repository/cache.ts';
import { describeMachine } from '../../runners/serve/describe.io.ts';
import { eachApart, whyNotApart } from '../../runners/serve/each-apart.io.ts';
import { keepAlone, tidyLinks } from '../../runners/serve/keep-alone.ts';
import { attachStreams, endKeeper, joinKeeper, keepLink, socketOf } from '../../runners/serve/keeper.io.ts';
import { createLateBook } from '../../runners/serve/late.ts';
import { lowerRights } from '../../runners/serve/lower-rights.io.ts';
import { serveLink } from '../../runners/serve/serve-link.ts';
import { type Cli, usage } from '../cli.ts';
import { stateDirectory } from '../state-directory.ts';
import { version } from '../version.ts';
import { createWorld, type World } from '../world.ts';

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
    const { attach, over } = serve(cli, world, toolsOf, { directory, link: keep, isFenced: false });
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
  const { attach, over } = serve(await withProxy(cli), world, toolsOf, {
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

interface Serves {
  readonly directory: string;
  /** The link whose work outlives its connections. */
  readonly link: string | null;
  readonly isFenced: boolean;
}

const serve = (
  cli: Cli,
  world: World,
  toolsOf: (world: World) => AgentTools,
  { directory, link, isFenced }: Serves,
) => {
  const { disk, random, clock, spawn } = world;
  disk.mkdir(directory);
  const program = `ralph-tui ${version}`;
  const tools = toolsOf(world);
  const files = createWorkFiles(() => random.hex(8));
  const over = Promise.withResolvers<void>();
  const look = late(whyNotApart);
  const apart = isFenced ? eachApart(spawn, look) : spawn;
  const served = serveLink({
    clock,
    disk,
    spawn,
    cache: createCache({
      git: createGit(cli.env),
      disk,
      random,
      directory: join(directory, 'repositories'),
      removeTree: files.removeTree,
    }),
    late: createLateBook(disk, random, join(directory, 'late')),
    removeTree: files.removeTree,
    random,
    machine: hostname(),
    work: join(directory, 'work'),
    link: link ?? random.hex(16),
    endLink: (other) => endKeeper(socketOf(directory, other), foreignHello(program, random.hex(16))),
    backends: ({ mode, settings }) =>
      createBackends(
        { ...world, spawn: mode === 'TASK_REVIEW' ? apart : spawn, env: cli.env, version, tools },
        settings.agents,
      ),
    only: () => null,
    describe: async (programs) => {
      const machine = await describeMachine({ disk, env: cli.env, program, directory }, programs);
      const why = isFenced ? look() : null;
      return why === null ? machine : { ...machine, noVerify: why.slice(0, 2_000) };
    },
    self: random.hex(16),
    program,
    keeps: link !== null,
    over: () => {
      void tools.close();
      over.resolve();
    },
  });
  return { attach: served.attach, over: over.promise };
};
