import type { ConfigurationWatch } from './configuration.ts';
import type { Context, Identity, WorkTree } from './context.ts';
import type { CheckTree, Serially } from './memory.ts';

/** An open session: its view of the repository and what changes while it is open. */
export interface OpenSession {
  readonly context: Context;
  readonly watch: ConfigurationWatch;
  /** The commit the session began at; '' in a repository without one. */
  readonly base: string;
  /** The session's own worktree; `null` in shared isolation. */
  readonly own: WorkTree | null;
  /** The worktrees in which merges are verified. */
  readonly checks: CheckTree[];
  /** Whose name stands on commits; `null`: git names two, the author and the committer. */
  readonly identity: Identity | null;
  /** Runs one after the other what changes branches or worktrees. */
  readonly serially: Serially;
  /** Work that runs beside that and writes objects. The end of the session waits for it: it takes their directory away. */
  readonly beside: Set<Promise<unknown>>;
  /** Commits that are brought into check trees, beside both: the end of the session removes those trees afterwards. */
  readonly shows: Set<Promise<unknown>>;
  /** Removals of worktrees, by path: one after the other, beside what runs serially. */
  readonly removals: { readonly serially: Serially; readonly waiting: Map<string, Promise<unknown>> };
  /** What the session's own worktree shows, and the queue of what brings it to the tip of the branch. */
  readonly checkout: {
    readonly serially: Serially;
    waiting: Promise<null> | null;
    shows: string | null;
  };
  /** The last snapshot of a shared workspace. */
  readonly last: { tree: string; commit: Promise<string> | null };
}
