import { sessionChangesRef } from '../../../../components/changes/select-changes.ts';
import type { Changes } from '../../../../components/ports/viewer-port.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { Cli } from '../../cli.ts';
import type { World } from '../../world.ts';
import { createViewerPort } from '../viewer-port.ts';

/** What the session changed, asked for and counted as on the screen's end. `null` without a task. */
export const changedIn = async (
  { env }: Pick<Cli, 'env'>,
  world: World,
  paths: SessionPaths,
  session: SessionState,
): Promise<Changes | null> => {
  if (session.tasks.size === 0) return null;
  return createViewerPort(world, paths, env).readChanges(sessionChangesRef(session).ref);
};
