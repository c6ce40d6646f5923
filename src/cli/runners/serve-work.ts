import { hostname } from 'node:os';
import { join } from 'node:path';
import { createBackends } from '../../agents/backends/index.io.ts';
import type { AgentTools } from '../../agents/tools.ts';
import { late } from '../../base/memoise.ts';
import { createWorkFiles } from '../../changes/files/work-files.io.ts';
import { createGit } from '../../changes/git/git.io.ts';
import { foreignHello } from '../../runners/link/link.ts';
import { createCache } from '../../runners/repository/cache.ts';
import { describeMachine } from '../../runners/serve/describe.io.ts';
import { eachApart, whyNotApart } from '../../runners/serve/each-apart.io.ts';
import { endKeeper, socketOf } from '../../runners/serve/keeper.io.ts';
import { createLateBook } from '../../runners/serve/late.ts';
import { serveLink } from '../../runners/serve/serve-link.ts';
import type { ServePorts } from '../../runners/serve/serving.ts';
import type { Cli } from '../cli.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';

/** A link that this process serves. */
interface Serves {
  readonly directory: string;
  /** The link whose work outlives its connections. */
  readonly link: string | null;
  readonly isFenced: boolean;
  /** Why an invocation may not be opened on it. Absent: each may. */
  readonly only?: ServePorts['only'];
  /** Ends another link of this machine. Absent: its keeper does. */
  readonly endLink?: ServePorts['endLink'];
}

/** Serves one link with the agents of this machine. */
export const serveWork = (
  cli: Cli,
  world: World,
  toolsOf: (world: World) => AgentTools,
  { directory, link, isFenced, only = () => null, endLink }: Serves,
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
    endLink:
      endLink ?? ((other) => endKeeper(socketOf(directory, other), foreignHello(program, random.hex(16)))),
    backends: ({ mode, settings }) =>
      createBackends(
        { ...world, spawn: mode === 'TASK_REVIEW' ? apart : spawn, env: cli.env, version, tools },
        settings.agents,
      ),
    only,
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
  return { attach: served.attach, end: served.end, over: over.promise };
};
