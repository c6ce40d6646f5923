import { discardDirectory } from '../../base/temporary-file.ts';
import type { EngineRequest } from '../host/wire.ts';
import type { World } from '../world.ts';

/** Runs a last check of a start whose session has only an empty directory so far. A start that it refuses leaves none. */
export const orNoSession = (
  world: Pick<World, 'disk'>,
  { paths }: Pick<EngineRequest, 'paths'>,
  check: () => void,
): void => {
  try {
    check();
  } catch (error) {
    discardDirectory(world.disk, paths.directory);
    throw error;
  }
};
