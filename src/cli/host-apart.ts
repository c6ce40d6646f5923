import type { Cli } from './cli.ts';
import { startHost } from './start-host.ts';
import { type EngineWish, writePlanSource } from './wire.ts';
import type { World } from './world.ts';

/** Starts the engine of a session in a process of its own (`host: background`, `--background`); resolves with its pid once it runs. */
export const hostApart = (cli: Cli, world: World, wish: EngineWish): Promise<number> => {
  const { begin, paths, planSource } = wish;
  if (begin.kind === 'resume') return startHost(cli, world, wish);
  if (planSource !== undefined) writePlanSource(world, paths, planSource);
  return startHost(cli, world, wish, ['--source', begin.source]);
};
