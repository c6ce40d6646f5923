import type { Core } from '../core.ts';
import { controlChanges, readAgentSettings } from './control-files.ts';
import type { Guard } from './guard.ts';
import { putBack } from './put-back.ts';

/**
 * Restores the settings of agents that changed in a worktree while an agent with a model worked there. The next agent in it, such as the Reviewer, would
 * load them unasked, and once they are merged those of every task would.
 */
export const createWorktreeGuard = (core: Core): Guard => ({
  around: async ({ invocation, model, workspace }, work) => {
    const { disk, paths } = core.options;
    if (model === undefined || workspace === paths.workspace) return work();
    const before = readAgentSettings(disk, workspace);
    try {
      return await work();
    } finally {
      // An agent may have deleted its worktree.
      if (core.loop.isOpen() && disk.lstat(workspace)?.kind === 'directory') {
        const changes = controlChanges(before, readAgentSettings(disk, workspace, before));
        core.loop.run(() => putBack({ ...core, worktree: workspace }, changes, invocation, 1));
      }
    }
  },
});
