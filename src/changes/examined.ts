/** What a workspace allows, found before a session starts. Reading it changes nothing. */
export interface Examined {
  /** Whether each task can have a worktree of its own. The reason is one sentence for the screen. */
  readonly worktrees: Possible;
  /** Whether attempts can be recorded as snapshots, in either isolation. */
  readonly snapshots: Possible;
  /** What is odd about this repository, with what it means for the session. In the order of `NoteKind`. */
  readonly notes: readonly Note[];
  /** `null` when the workspace is in no git repository. */
  readonly repository: Repository | null;
}

export type Possible = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface Note {
  readonly kind: NoteKind;
  /** One sentence: what it is, what the session does about it. */
  readonly sentence: string;
}

/**
 * `dirty`: files changed since the last commit, which worktrees do not hold. `filters`: programs in `.git/config` that git would
 * run on file contents. They never run here, so there are no worktrees.
 */
type NoteKind =
  | 'not-a-repository'
  | 'bare'
  | 'no-commit'
  | 'no-identity'
  | 'unsigned'
  | 'old-git'
  | 'busy'
  | 'dirty'
  | 'detached'
  | 'linked-worktree'
  | 'submodules'
  | 'dirty-submodules'
  | 'lfs'
  | 'filters'
  | 'shallow'
  | 'partial'
  | 'sparse'
  | 'ignores-case'
  | 'names-differ-in-case';

export interface Repository {
  /** The top of the work tree, absolute. */
  readonly root: string;
  /** The workspace below `root`, with a trailing slash; '' when they are the same. */
  readonly prefix: string;
  /** The git directory of this work tree, and the one that all work trees share; absolute. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The branch that is checked out; `null` when the head is detached. */
  readonly branch: string | null;
  /** The commit that is checked out; `null` before the first one. */
  readonly head: string | null;
  /** Names that differ only in case are one file here (`core.ignorecase`). */
  readonly ignoresCase: boolean;
  /** Files of the workspace changed or new since the last commit, at most 1,000. */
  readonly dirty: readonly string[];
  /** Programs of `.git/config` that git would run on file contents, as `key=value`; those of git-lfs, which are known, are left out. */
  readonly filters: readonly string[];
}
