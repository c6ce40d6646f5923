/** The outcome of merging one attempt onto the session's branch. */
export type Merged =
  | {
      readonly kind: 'merged';
      /** The merge commit, or the unchanged tip when the attempt changed nothing. */
      readonly commit: string;
      /** The tip before it; equal to `commit` when nothing changed. */
      readonly before: string;
      /** Workspace-relative paths that the merge changed. */
      readonly files: readonly string[];
    }
  /** Both sides changed the same place. The branch is unchanged, the worktree stays. */
  | { readonly kind: 'conflict'; readonly conflict: Conflict }
  /** One sentence: the reason, and what to do. The branch is unchanged. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      /** Conflict markers are left: the conflict still waits for a resolution. */
      readonly unresolved?: true;
      /** What a person may accept once they have looked at it (`acceptConfiguration`): a change of git's configuration, or of where the branch is. */
      readonly unaccepted?: string;
    };

export interface Conflict {
  readonly task: string;
  readonly attempt: number;
  readonly files: readonly ConflictedFile[];
  /** Tasks merged earlier that changed these files, in the order of their merges. */
  readonly against: readonly string[];
}

export interface ConflictedFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** The blobs of each side; `null` where the file does not exist. Read them with `readBlob`. */
  readonly base: Side | null;
  readonly session: Side | null;
  readonly task: Side | null;
  /** The file with conflict markers; `null` when git could not write one (binary, deleted, a link). */
  readonly marked: Side | null;
}

export interface Side {
  readonly blob: string;
  readonly mode: string;
}

/** What becomes of a conflict. */
export type Resolution =
  /** The session's side, or the task's side, in each conflicting place; all else is merged. A file that cannot be marked is taken whole. */
  | { readonly take: 'session' | 'task' }
  /** The files as they now are in the directory of `openConflict`. Refused while one still holds markers. */
  | { readonly take: 'edited' };
