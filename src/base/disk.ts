/**
 * The file system for the mailbox, the journal, the lock and the session files.
 *
 * Synchronous for three reasons. An empty checkpoint must cost two `readdir` and nothing else. A claim must not interleave
 * with our own code. A simulated disk with crash points stays a plain function call. Large output does not pass through
 * here whole: logs are appended in chunks.
 *
 * Paths are absolute. `readdir` returns names that are not valid UTF-8 with each bad byte as a lone surrogate
 * U+DC80..U+DCFF (the "surrogateescape" of PEP 383), and every call accepts such a path.
 *
 * Every call throws `DiskError` and nothing else. Implementations: `disk.io.ts`, `test/helpers/simulated-disk.ts`; both pass
 * `test/base/disk-conformance.ts`.
 */
export interface Disk {
  /** Creates a file for writing (`O_EXCL|O_NOFOLLOW`), mode 0600 by default. `EEXIST` when the name is taken. */
  openExclusive(path: string, mode?: number): Handle;
  /** Opens for appending, creating the file (0600); a symbolic link is refused with `ELOOP`. */
  openAppend(path: string): Handle;
  /** Opens for reading with `O_NOFOLLOW|O_NONBLOCK`: never follows a link, never hangs on a FIFO. */
  openRead(path: string): Handle;
  /** Writes all bytes or throws (`ENOSPC`, `EFBIG`): never reports a short write as a complete one. */
  write(handle: Handle, bytes: Uint8Array): void;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  read(handle: Handle, offset: number, length: number): Uint8Array;
  stat(handle: Handle): FileStat;
  truncate(handle: Handle, size: number): void;
  /** fsync of the file's data and size. */
  flush(handle: Handle): void;
  /** Like `flush`, without blocking this thread. The handle stays open until the promise settles. */
  flushAside(handle: Handle): Promise<void>;
  close(handle: Handle): void;
  /** `EEXIST` when `to` exists: the only atomic way to create a file with its content. */
  link(from: string, to: string): void;
  /** Replaces an existing `to` silently: use `link` where nothing may be overwritten. */
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Names, in no particular order. */
  readdir(path: string): string[];
  /** `null` when nothing exists at the path. Never follows a link. */
  lstat(path: string): FileStat | null;
  /** The target of a symbolic link as it is written there. `EINVAL` when the path is no link. */
  readlink(path: string): string;
  /**
   * Creates the directory and its parents, 0700, durable on return; silent when it exists already. Returns whether it created anything: when two
   * programs create the same directory in an existing parent, only one gets `true`.
   */
  mkdir(path: string): boolean;
  /** Removes an empty directory. */
  rmdir(path: string): void;
  chmod(path: string, mode: number): void;
  /** fsync of the directory: makes links, renames and unlinks in it survive a power loss. */
  flushDirectory(path: string): void;
  /** Like `flushDirectory`, without blocking this thread. */
  flushDirectoryAside(path: string): Promise<void>;
}

/** An open file, opaque to everything but the `Disk` that returned it. */
export interface Handle {
  readonly path: string;
  readonly fd: number;
}

export type FileKind = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  /** Milliseconds since the epoch, with the fraction the file system keeps. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly dev: number;
  readonly nlink: number;
  readonly uid: number;
  /** Permission bits only (0o777). */
  readonly mode: number;
}

/** A system call that failed; `code` is the errno name (`ENOENT`, `EEXIST`, `ENOSPC`, …). */
export class DiskError extends Error {
  readonly code: string;
  readonly operation: string;
  readonly path: string;
  constructor(code: string, operation: string, path: string) {
    super(`${code}: ${operation} ${path}`);
    this.name = 'DiskError';
    this.code = code;
    this.operation = operation;
    this.path = path;
  }
}

/** The errno name of a thrown value, or '' when it is not a `DiskError`. */
export const diskCode = (error: unknown): string => (error instanceof DiskError ? error.code : '');
