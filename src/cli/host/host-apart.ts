import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { startHost } from './start-host.ts';
import { type EngineRequest, writePlanSource } from './wire.ts';

/** Starts the engine in its own process (`host: background`, `--background`). Resolves with its pid once it runs. */
export const hostApart = async (cli: Cli, world: World, request: EngineRequest): Promise<number> => {
  await request.prepared?.();
  const { begin, paths, planSource } = request;
  const files = ['--agent-files', request.agentFiles.join(',')];
  const preset = begin.preset === undefined ? [] : ['--preset', begin.preset];
  if (begin.kind === 'resume') return startHost(cli, world, request, [...files, ...preset]);
  if (planSource !== undefined) writePlanSource(world, paths, planSource);
  const goal =
    begin.source === 'goal' || begin.mode === 'loop' || begin.flow !== undefined
      ? ['--goal', begin.goal]
      : [];
  const loop = begin.mode === 'loop' ? ['--loop'] : [];
  const flow = begin.flow === undefined ? [] : ['--flow', JSON.stringify(begin.flow)];
  const focus = begin.focus === undefined ? [] : ['--focus', begin.focus];
  const source = ['--source', begin.source];
  return startHost(cli, world, request, [
    ...files,
    ...source,
    ...goal,
    ...loop,
    ...flow,
    ...focus,
    ...preset,
  ]);
};
