import type { ConfigurationWatch } from './configuration.ts';
import type { Context, Identity, WorkTree } from './context.ts';

/** An open session: its view of the repository and what changes while it is open. */
export interface OpenSession {
  readonly context: Context;
  readonly watch: ConfigurationWatch;
  /** The commit the session began at; '' in a repository without one. */
  readonly base: string;
  /** The session's own worktree; `null` in shared isolation. */
  readonly own: WorkTree | null;
  /** Whose name stands on commits: `null` is the person's, as git knows it. */
  readonly identity: Identity | null;
  /** Runs one after the other what changes branches or worktrees. */
  readonly serially: <T>(run: () => Promise<T>) => Promise<T>;
}

/** A queue of one. A failure of one call does not reach the next. */
export const createSerially = (): OpenSession['serially'] => {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => {});
    return next;
  };
};
