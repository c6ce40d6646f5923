import type { StayingGit } from './git.ts';

/** What a session remembers of its repository, so that git is not asked again. Nothing of it can be wrong when another program writes there. */
export interface Memory {
  /** Processes of git that stay: two write refs and commits, two compare trees, two read objects (`stored`: those that the repository has without us). */
  readonly staying: Readonly<
    Record<'refs' | 'commits' | 'files' | 'names' | 'objects' | 'stored', StayingGit>
  >;
  /** What was found to hold what its name says (`git/forged.ts`); `null`: nothing was looked at yet. */
  readonly genuine: { ids: Set<string> | null };
  readonly packed: PackedRefs;
  /** What was last written into the session's refs, but for the branches of attempts, by name; `null`: the session is only read (`own-refs.ts`). */
  readonly own: { refs: Map<string, string> | null };
  /** The trees of commits, as far as they were needed. */
  readonly trees: Map<string, string>;
  /** The parents of commits that this program made. */
  readonly parents: Map<string, readonly string[]>;
  /** What happened on the session's branch between two commits, as last read. */
  readonly history: { base: string; tip: string; steps: readonly Step[] };
  /** By the git directory of their work trees. */
  readonly recorders: Map<string, Recorder>;
}

/** `packed-refs` as last read, without the refs of others; `stamp` tells whether it is still that file. */
export interface PackedRefs {
  stamp: string;
  refs: ReadonlyMap<string, string>;
}

/** One step of the session's branch, oldest first: each is one commit on its first-parent line. */
export interface Step {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly what: 'merged' | 'undone' | 'redone';
  readonly task: string;
  /** The attempt that was merged; the attempts taken back or brought back, one step each. */
  readonly attempt: number;
}

/** The recordings of one work tree. */
export interface Recorder {
  readonly serially: Serially;
  /** One that has not begun: whoever asks before it does shares it. */
  waiting: Promise<RecordedTree> | null;
  kept: KeptIndex | null;
}

/** The files of a work tree as they are, without the session's own directory. */
export interface RecordedTree {
  readonly tree: string;
  readonly problems: readonly string[];
  /** The repositories in the work tree whose files `tree` does not hold; none unless they were looked for. */
  readonly repositories: readonly string[];
  /** What git could not read in the work tree, so that `tree` does not hold it; none unless repositories were looked for. */
  readonly unread: readonly string[];
}

/** An index of ours for one work tree. It holds the files as they were last recorded, new ones too. */
export interface KeptIndex {
  readonly file: string;
  /** Of the work tree's own index and of what was switched off when it was copied. */
  readonly origin: string;
  /** The tree that was last written of it; `null`: it may hold something else. */
  tree: string | null;
}

export type Serially = <T>(run: () => Promise<T>) => Promise<T>;

/** A queue of one. A failure of one call does not reach the next. */
export const createSerially = (): Serially => {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => {});
    return next;
  };
};

/**
 * A worktree in which no agent works: `verify` of a merge runs there. Besides the files of the commit it holds what `worktree.copy` and `worktree.setup` made,
 * as it was then, and nothing else that git ignores.
 */
export interface CheckTree {
  readonly path: string;
  /** The attempt whose merge it shows, by the name of its directory; `null`: it is free. */
  user: string | null;
  /** It is only sent to a runner, which sets up its own: it is not set up, and nothing runs in it. */
  readonly isSent: boolean;
  /** The commit that it was set up at. */
  setUpAt: string;
  /** What is in it beside the commit; `null` until that is complete. */
  made: MadeFiles | null;
}

/** By path: the stamp of a file, or that it is a directory. */
export type MadeFiles = ReadonlyMap<string, string>;
