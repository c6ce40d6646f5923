import { dirname } from 'node:path';
import { type Disk, DiskError, diskCode } from './disk.ts';
import type { Random } from './random.ts';
import { discard, type PreparedFiles, writeTemporary } from './temporary-file.ts';

/**
 * Replaces a whole file so that a reader, a crash or a full disk sees the old text or the new one, never a mixture (engine.md, Durability
 * helper): a fresh temporary file, completely written, flushed, its size verified, renamed, the directory flushed. The mode of the old file is
 * kept; a new one gets 0600. Throws `DiskError`; the old file is then untouched and the temporary one is gone.
 *
 * The temporary file lies beside the new one, or in `home`: a directory of ours that is swept, for files among other people's; `prepared` may hold it already.
 */
export const replaceFile = (
  disk: Disk,
  random: Random,
  path: string,
  content: string | Uint8Array,
  home = dirname(path),
  prepared: PreparedFiles = nothingPrepared,
): void => {
  const mode = modeFor(disk, path);
  const temporary = prepared.take(home, content, mode) ?? writeTemporary(disk, random, home, content, mode);
  try {
    disk.rename(temporary, path);
  } catch (error) {
    discard(disk, temporary);
    if (!isFar(error, path, home)) throw error;
    replaceFile(disk, random, path, content);
  }
  disk.flushDirectory(dirname(path));
};

/**
 * Creates a file with its content in one step and never overwrites: `DiskError` `EEXIST` when the name is taken. The `link` is what makes it
 * appear, so nobody sees it half written. `home` and `prepared` as in `replaceFile`.
 */
export const writeNew = (
  disk: Disk,
  random: Random,
  path: string,
  content: string | Uint8Array,
  home = dirname(path),
  prepared: PreparedFiles = nothingPrepared,
): void => {
  const temporary =
    prepared.take(home, content, newMode) ?? writeTemporary(disk, random, home, content, newMode);
  try {
    disk.link(temporary, path);
    disk.flushDirectory(dirname(path));
  } catch (error) {
    if (!isFar(error, path, home)) throw error;
    writeNew(disk, random, path, content);
  } finally {
    discard(disk, temporary);
  }
};

/** The mode of a file that was not there. */
const newMode = 0o600;

/** The mode `replaceFile` gives: that of the file that is there. */
export const modeFor = (disk: Disk, path: string): number => {
  const old = disk.lstat(path);
  return old?.kind === 'file' ? old.mode : newMode;
};

const nothingPrepared: PreparedFiles = { take: () => null };

/** Whether `home` lies on another file system than `path`. */
const isFar = (error: unknown, path: string, home: string): boolean =>
  diskCode(error) === 'EXDEV' && home !== dirname(path);

/** A disk that keeps in mind which directories are to be flushed, and flushes each once: many new files in one directory cost one flush more than their own. */
export interface LateFlushes {
  readonly disk: Disk;
  flush(): void;
  /** The same beside this thread. */
  flushAside(): Promise<void>;
}

export const createLateFlushes = (disk: Disk): LateFlushes => {
  const directories = new Set<string>();
  return {
    disk: { ...disk, flushDirectory: (path) => void directories.add(path) },
    flush: () => {
      for (const directory of directories) disk.flushDirectory(directory);
    },
    flushAside: async () => {
      for (const directory of directories) await disk.flushDirectoryAside(directory);
    },
  };
};

/**
 * Does `work` with such a disk, and flushes when it is over. What was made counts as durable only when this returns; where the work or a flush throws, what
 * was done stays done.
 */
export const flushingOnce = <T>(disk: Disk, work: (disk: Disk) => T): T => {
  const late = createLateFlushes(disk);
  try {
    return work(late.disk);
  } finally {
    late.flush();
  }
};

/**
 * Makes a file that stands there already survive a power loss: whoever wrote it may have died before it was flushed, or before its directory was.
 */
export const makeDurable = (disk: Disk, path: string): void => {
  const handle = disk.openRead(path);
  try {
    disk.flush(handle);
  } finally {
    disk.close(handle);
  }
  disk.flushDirectory(dirname(path));
};

/** Four megabytes: far more than any file a person writes for us, far less than what would stall the screen. */
const usualLimit = 4 * 1024 * 1024;

/**
 * The text of a regular file, or `null` when nothing is there. Bytes that are not UTF-8 become U+FFFD, a byte order mark stays. Throws `DiskError`:
 * `ELOOP` for a symbolic link, `EFBIG` beyond `maxBytes`, `EISDIR` or `EINVAL` for what is no file.
 */
export const readText = (disk: Disk, path: string, maxBytes: number = usualLimit): string | null => {
  const bytes = readBytes(disk, path, maxBytes);
  return bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
};

/** The bytes of a regular file, or `null` when nothing is there; throws as `readText` does. */
export const readBytes = (disk: Disk, path: string, maxBytes: number = usualLimit): Uint8Array | null => {
  if (disk.lstat(path) === null) return null;
  const handle = openIfThere(disk, path);
  if (handle === null) return null;
  try {
    const { kind, size } = disk.stat(handle);
    if (kind !== 'file') throw new DiskError(kind === 'directory' ? 'EISDIR' : 'EINVAL', 'read', path);
    if (size > maxBytes) throw new DiskError('EFBIG', 'read', path);
    return disk.read(handle, 0, size);
  } finally {
    disk.close(handle);
  }
};

const openIfThere = (disk: Disk, path: string) => {
  try {
    return disk.openRead(path);
  } catch (error) {
    if (error instanceof DiskError && error.code === 'ENOENT') return null;
    throw error;
  }
};
