import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { startHost } from './start-host.ts';
import { type EngineRequest, writePlanSource } from './wire.ts';

/** Starts the engine in its own process (`host: background`, `--background`). Resolves with its pid once it runs. */
export const hostApart = (cli: Cli, world: World, request: EngineRequest): Promise<number> => {
  const { begin, paths, planSource } = request;
  if (begin.kind === 'resume') return startHost(cli, world, request);
  if (planSource !== undefined) writePlanSource(world, paths, planSource);
  const goal = begin.source === 'goal' ? ['--goal', begin.goal] : [];
  return startHost(cli, world, request, ['--source', begin.source, ...goal]);
};
