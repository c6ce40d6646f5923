import { dirname } from 'node:path';
import { type Disk, DiskError, diskCode } from './disk.ts';
import type { Random } from './random.ts';
import { discard, type PreparedFiles, writeTemporary } from './temporary-file.ts';

/**
 * Replaces a whole file so that a reader sees the old text or the new one, never a mixture, even after a crash or on a full disk (src/engine/README.md,
 * Durable writes): writes a fresh temporary file, flushes it, verifies its size, renames it, flushes the directory. Keeps the mode of the old
 * file; a new one gets 0600. Throws `DiskError`; the old file is then untouched and the temporary one is gone.
 *
 * The temporary file is beside the target. For foreign directories it is in `home`, a directory of ours that is swept. `prepared` may hold it.
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
 * Creates a file with its content in one step and never overwrites: `DiskError` `EEXIST` when the name is taken. A `link` makes the file
 * appear, so no reader sees it half written. `home` and `prepared` as in `replaceFile`.
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

/** The mode of a new file. */
const newMode = 0o600;

/** The mode that `replaceFile` gives: that of the existing file. */
export const modeFor = (disk: Disk, path: string): number => {
  const old = disk.lstat(path);
  return old?.kind === 'file' ? old.mode : newMode;
};

const nothingPrepared: PreparedFiles = { take: () => null };

/** Whether `home` is on another file system than `path`. */
const isFar = (error: unknown, path: string, home: string): boolean =>
  diskCode(error) === 'EXDEV' && home !== dirname(path);

/** A disk that collects directories to flush and flushes each once: many new files in one directory cost one extra flush. */
interface LateFlushes {
  readonly disk: Disk;
  flush(): void;
  /** Like `flush`, without blocking this thread. */
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
 * Runs `work` with such a disk, and flushes afterwards. New files are durable only when this returns. When the work or a flush throws, completed
 * changes stay.
 */
export const flushingOnce = <T>(disk: Disk, work: (disk: Disk) => T): T => {
  const late = createLateFlushes(disk);
  try {
    return work(late.disk);
  } finally {
    late.flush();
  }
};

/** Makes an existing file survive a power loss: its writer may have died before flushing it or its directory. */
export const makeDurable = (disk: Disk, path: string): void => {
  const handle = disk.openRead(path);
  try {
    disk.flush(handle);
  } finally {
    disk.close(handle);
  }
  disk.flushDirectory(dirname(path));
};

/** Four megabytes: far larger than any file a person writes for us, far smaller than a file that would stall the screen. */
const usualLimit = 4 * 1024 * 1024;

/**
 * The text of a regular file, or `null` when none exists. Bytes that are not UTF-8 become U+FFFD; a byte order mark stays. Throws `DiskError`:
 * `ELOOP` for a symbolic link, `EFBIG` beyond `maxBytes`, `EISDIR` or `EINVAL` when it is not a regular file.
 */
export const readText = (disk: Disk, path: string, maxBytes: number = usualLimit): string | null => {
  const bytes = readBytes(disk, path, maxBytes);
  return bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
};

/** The bytes of a regular file, or `null` when none exists. Throws as `readText` does. */
export const readBytes = (disk: Disk, path: string, maxBytes: number = usualLimit): Uint8Array | null => {
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
    if (error instanceof DiskError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
};
