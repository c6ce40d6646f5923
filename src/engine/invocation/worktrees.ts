import type { Brief, RoleEnd } from '../../agents/port.ts';
import type { Fault } from '../../base/fault.ts';
import type { Active } from './active.ts';

/** Where an invocation works, and the record of its changes before and after the work. */
export interface Worktrees {
  /** The brief with the directory to work in, or the reason why there is none. `setup` runs the commands of `worktree.setup`; a sentence is their failure. */
  enter(
    active: Active,
    brief: Brief,
    setup: (brief: Brief) => Promise<string | null>,
  ): Promise<Brief | Fault>;
  /** Records what an attempt changed. Git, not the agent, says which files. */
  leave(active: Active, brief: Brief, end: RoleEnd): Promise<RoleEnd>;
}
