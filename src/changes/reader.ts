import type { FileChange, FoundSecret, Range, Scope } from './changed-file.ts';
import type { Result } from './result.ts';

/** What a session changed, for reading. Safe from any process, while the session runs. */
export interface ChangesReader {
  readonly isolation: 'worktree' | 'shared';
  /** Attempts with a snapshot, by the time when they began, or in worktrees ended. */
  attempts(): Promise<Result<readonly AttemptRecord[]>>;
  /**
   * The ranges whose changes belong to the scope, in order. A task that was merged more than once has one for each merge. In a shared workspace a task
   * has one more wherever files changed between two of its attempts, and a session has one range, from its first snapshot to its last one,
   * or to now when something of it was undone. An attempt that runs ends at a snapshot of the moment of asking only when `open`
   * made this reader; elsewhere it has no range yet.
   */
  ranges(scope: Scope): Promise<Result<readonly Range[]>>;
  /** The files of a range, renames found, without the sessions' own. This is what `files_modified` holds. */
  changedFiles(range: Range): Promise<Result<readonly FileChange[]>>;
  /**
   * The unified diff of a range, as git prints it, or of some of its files. Bytes: a file may be in any encoding. `exact`: for `git apply`, with the
   * contents of binary files.
   */
  patch(
    range: Range,
    options?: { readonly files?: readonly string[]; readonly exact?: boolean },
  ): Promise<Result<Uint8Array>>;
  /** Picks the workspace-relative paths that git ignores, so that no range shows them. */
  ignored(paths: readonly string[]): Promise<Result<readonly string[]>>;
  /** Lines added in the range that look like secrets. */
  findSecrets(range: Range): Promise<Result<readonly FoundSecret[]>>;
  /** The bytes of one side of a conflict. */
  readBlob(blob: string): Promise<Result<Uint8Array>>;
}

export interface AttemptRecord {
  readonly task: string;
  readonly attempt: number;
  readonly before: string | null;
  readonly after: string | null;
  /** What became of it on the session's branch. In shared isolation only `none` and `undone`. */
  readonly state: 'none' | 'committed' | 'merged' | 'undone';
  /** Its worktree; `null` when it has none. */
  readonly directory: string | null;
}
