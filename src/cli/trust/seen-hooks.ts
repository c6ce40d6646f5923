import { relative } from 'node:path';
import { unseenCode } from '../../engine/flow/flow-port.ts';
import { controlChanges } from '../../engine/guards/control-files.ts';
import { readHooks } from '../../engine/guards/hooks.ts';
import type { PullRequests } from '../../issues/pull-requests/pull-requests.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { ranByGit } from './ran-by-git.ts';

/** Pushes nothing when a hook changed since this program began: a push runs `pre-push`, which an agent may have written. A resume asks about it. */
export const withSeenHooks = (
  env: Cli['env'],
  world: Pick<World, 'disk'>,
  workspace: string,
  requests: PullRequests,
): PullRequests => {
  const read = () => readHooks(world.disk, workspace, ranByGit(env, world, workspace));
  const known = read();
  return {
    ...requests,
    open: async (wanted) => {
      const changed = controlChanges(known, read()).map(({ path }) => relative(workspace, path));
      if (changed.length === 0) return requests.open(wanted);
      return {
        ok: false,
        faults: [
          {
            code: unseenCode,
            what: `the branch was not pushed, because git would run hooks or follow settings that changed during the session: ${changed.slice(0, 3).join(', ')}`,
            hint: 'look at them, then resume the session in a terminal: it asks about them',
          },
        ],
      };
    },
  };
};
