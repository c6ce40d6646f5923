import type { Brief, RoleEnd, Worker } from '../../agents/port.ts';
import type { Core } from '../core.ts';
import { asOurs, type Guard } from '../guards/guard.ts';
import type { ControlGuard } from '../guards/guard-control-files.ts';
import { createForbiddenGuard } from '../guards/guard-forbidden.ts';
import { createWorktreeGuard } from '../guards/guard-worktree.ts';
import type { SweepWork } from '../guards/sweep-work.ts';
import { createCheckoutWatch } from '../guards/watch-checkout.ts';
import { createGitWatch } from '../guards/watch-git.ts';
import type { Active } from './active.ts';
import { failedWith } from './invocation-facts.ts';
import type { Worktrees } from './worktrees.ts';

export interface InvocationGuards {
  /** All that looks at the work of an invocation, in the order of `guarded`. */
  of(active: Active, worker: Worker): readonly Guard[];
  /** Runs work of ours that moves the person's branch, so that no agent is blamed for it. */
  ours<T>(work: () => Promise<T>): Promise<T>;
}

interface GuardPorts {
  readonly core: Core;
  readonly guard: ControlGuard;
  readonly worktrees: Worktrees;
}

export const createInvocationGuards = (
  { core, guard, worktrees }: GuardPorts,
  sweep: SweepWork,
): InvocationGuards => {
  const forbidden = createForbiddenGuard(core);
  const checkout = createCheckoutWatch(core);
  const git = createGitWatch(core);
  const worktree = createWorktreeGuard(core);
  return {
    ours: (work) => asOurs([git, checkout], work),
    of: (active, worker) => [
      // An Executor that harmed our files has failed, whatever it reports.
      after((brief, end) => {
        const why = guard.blame(brief.invocation);
        return why === null ? end : failedWith(end, why);
      }),
      // Forbidden files count also where git ignores them: after the worktree is left.
      forbidden,
      after((brief, end) => worktrees.leave(active, brief, end)),
      checkout,
      git,
      worktree,
      ending(async (brief) => {
        await worker.end?.();
        // Before git is asked anything: what still runs could change what git would run.
        await sweep(brief, worker.kept?.() ?? []);
        guard.look();
      }),
    ],
  };
};

/** Judges the end of the work. */
const after = (look: (brief: Brief, end: RoleEnd) => RoleEnd | Promise<RoleEnd>): Guard => ({
  around: async (brief, work) => look(brief, await work()),
});

/** Follows the work however it ends. */
const ending = (end: (brief: Brief) => Promise<void>): Guard => ({
  around: async (brief, work) => {
    try {
      return await work();
    } finally {
      await end(brief);
    }
  },
});
