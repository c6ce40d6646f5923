import type { SessionPaths } from '../session/paths.ts';
import type { Cli } from './cli.ts';
import { loadConfiguration } from './load-settings.ts';
import { type EngineWish, readPlanSource } from './wire.ts';
import type { World } from './world.ts';

/** What it takes to go on with a session: its configuration as it is read now. */
export const resumeWish = (
  cli: Cli,
  world: World,
  paths: SessionPaths,
  how: { readonly attended: boolean; readonly takeOver: boolean },
): EngineWish => {
  const plan = readPlanSource(world, paths);
  const { settings } = loadConfiguration(cli, world, {
    workspace: paths.workspace,
    session: paths,
    attended: how.attended,
    ...(plan ? { plan } : {}),
  });
  return {
    paths,
    begin: { kind: 'resume', settings, takeOver: how.takeOver },
    settings,
    attended: how.attended,
  };
};
