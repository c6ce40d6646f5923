import {
  createForeignBackend,
  type ForeignWorks,
} from '../../agents/backends/foreign/create-foreign-backend.ts';
import { withCodeTurns } from '../../agents/backends/with-code-turns.ts';
import type { Backend } from '../../agents/port.ts';
import { toFault } from '../../base/fault.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { removeDoor, writeDoor } from '../session/worker-door.ts';
import type { World } from '../world.ts';

/** Where workers of other programs join a team (`ralph-tui mcp --as builder`). A session without a team has none. */
export const createDoor = (cli: Pick<Cli, 'env'>, world: World, paths: SessionPaths, isTeam: boolean) => {
  const works = isTeam ? createForeignBackend(world.clock) : null;
  return {
    /** Adds the backend that hands work to such workers. */
    withForeign: (backends: readonly Backend[]): readonly Backend[] => {
      const script = backends.find(({ name }) => name === 'script');
      return works === null || script === undefined
        ? backends
        : [...backends, withCodeTurns(works.backend, script)];
    },
    /** Listens as long as the engine runs. */
    open: async (engine: Engine): Promise<void> => {
      if (works !== null) await listen(cli, world, paths, engine, works);
    },
  };
};

/** Without a port no worker can join: the session says so and runs without. */
const listen = async (
  { env }: Pick<Cli, 'env'>,
  world: World,
  paths: SessionPaths,
  engine: Engine,
  works: ForeignWorks,
): Promise<void> => {
  const { serveWorkers } = await import('../../mcp/workers/serve-workers.io.ts');
  let isOver = false;
  void engine.settled().then(() => {
    isOver = true;
  });
  try {
    const { at, close } = await serveWorkers({
      door: engine.workers,
      works,
      watch: (changed) => engine.subscribe(changed),
      clock: world.clock,
      random: world.random,
      token: `ralph_mcp_${world.random.hex(64)}`,
    });
    writeDoor(env, world, paths, at);
    const end = (): void => {
      close();
      removeDoor(env, world, paths, at);
    };
    if (isOver) end();
    else void engine.settled().then(end);
  } catch (error) {
    engine.noteProblem({
      code: 'no-door',
      what: `workers of other programs cannot join: ${toFault(error).what}`,
    });
  }
};
