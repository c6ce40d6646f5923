/**
 * File operations of worktrees that `Disk` does not have: whole trees and copies. Implementation: `work-files.io.ts`. Every call throws
 * `DiskError` and nothing else. No call follows a symbolic link in the last step of a path.
 */
export interface WorkFiles {
  kind(path: string): 'file' | 'directory' | 'symlink' | 'other' | null;
  /** Differs when the file was changed or replaced; '' when nothing is there. */
  stamp(path: string): string;
  /** Bytes of a file; 0 when nothing is there. */
  size(path: string): number;
  /** The path without symbolic links; `null` when nothing is there. */
  resolve(path: string): string | null;
  /** Names in a directory, sorted; none when it does not exist. */
  list(path: string): readonly string[];
  /** The text of a file, 1 MiB at most; `null` when it cannot be read. */
  read(path: string): string | null;
  /** Whether a file has these bytes in a row anywhere. */
  includes(path: string, bytes: Uint8Array): boolean;
  /** Creates the directory and its parents, 0700. */
  makeDirectory(path: string): void;
  /** Writes a file, 0600, by a temporary one beside it: complete or not at all. */
  write(path: string, bytes: Uint8Array): void;
  /** Writes a new file for a process that reads it next. A crash may leave half of it. */
  writeScratch(path: string, bytes: Uint8Array): void;
  /** Copies one file or symbolic link with its mode and time, sharing blocks where the file system can. Never replaces. */
  copy(from: string, to: string): void;
  /** Gives a file that never changes a second name, in a directory that is made if need be, or copies it where the file system cannot. Silent when the name is taken. */
  link(from: string, to: string): void;
  /** Sets when a file was last changed, in milliseconds since 1970. */
  setTime(path: string, ms: number): void;
  /** The target of a symbolic link, as written. */
  linkTarget(path: string): string;
  /**
   * Replaces `to` by the file `from` in one step, also from another file system. A file that was there keeps its permissions. `executes`: with or without
   * that of execution; `null`: as it was.
   */
  replace(from: string, to: string, executes: boolean | null): void;
  /** Removes a file or link; silent when it is gone. */
  unlink(path: string): void;
  /** Removes a directory that is empty. Returns whether it did. */
  removeEmpty(path: string): boolean;
  /** Removes a directory with all that it holds. Links in it are removed, not followed. */
  removeTree(path: string): Promise<void>;
  /** Moves a directory to a new name on the same file system. Returns whether it did. */
  moveAside(path: string, to: string): boolean;
  /** The same as `removeTree` in a process of its own, which nothing waits for; it ends after this program. A directory that is left empty goes too. */
  removeBeside(path: string): void;
}

/** Names of files that `write` and `replace` have not yet renamed. */
export const temporaryName = /^\.ralph-[\w-]+\.tmp$/;
