import { createStore, type Store } from '../../../components/create-store.ts';
import type { ViewerPort } from '../../../components/ports/viewer-port.ts';
import { evolve } from '../../pipeline/evolve.ts';
import { sessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { createViewerPort } from '../session/viewer-port.ts';
import type { World } from '../world.ts';
import { readPreferences } from './read-preferences.ts';

/** The store of a screen that shows no session. */
export const blankStore = (cli: Cli, world: World, workspace: string): Store =>
  createStore({
    clock: world.clock,
    evolve,
    connection: 'stopped',
    canLeaveRunning: true,
    preferences: readPreferences(cli, world, workspace, null),
  });

/** What such a screen can read: no session has this name. */
export const blankPort = (
  cli: Cli,
  world: World,
  workspace: string,
): { readonly viewer: ViewerPort; readonly preview: () => Promise<null> } => ({
  viewer: createViewerPort(world, sessionPaths(workspace, '000000-000000'), cli.env),
  preview: async () => null,
});
