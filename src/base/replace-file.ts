import { dirname, join } from 'node:path';
import { type Disk, DiskError, diskCode } from './disk.ts';
import type { Random } from './random.ts';

/**
 * Replaces a whole file so that a reader, a crash or a full disk sees the old text or the new one, never a mixture (engine.md, Durability
 * helper): a fresh temporary file, completely written, flushed, its size verified, renamed, the directory flushed. The mode of the old file is
 * kept; a new one gets 0600. Throws `DiskError`; the old file is then untouched and the temporary one is gone.
 *
 * The temporary file lies beside the new one, or in `home`: a directory of ours that is swept, for files among other people's.
 */
export const replaceFile = (
  disk: Disk,
  random: Random,
  path: string,
  content: string | Uint8Array,
  home = dirname(path),
): void => {
  const old = disk.lstat(path);
  const temporary = writeTemporary(disk, random, home, content, old?.kind === 'file' ? old.mode : 0o600);
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
 * appear, so nobody sees it half written. `home` as in `replaceFile`.
 */
export const writeNew = (
  disk: Disk,
  random: Random,
  path: string,
  content: string | Uint8Array,
  home = dirname(path),
): void => {
  const temporary = writeTemporary(disk, random, home, content, 0o600);
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

/** Whether `home` lies on another file system than `path`. */
const isFar = (error: unknown, path: string, home: string): boolean =>
  diskCode(error) === 'EXDEV' && home !== dirname(path);

/**
 * Does `work` with a disk that flushes each directory once, when the work is over: many new files in one directory then cost one flush more than their
 * own. They count as durable only when this returns; where the work or a flush throws, what was done stays done.
 */
export const flushingOnce = <T>(disk: Disk, work: (disk: Disk) => T): T => {
  const directories = new Set<string>();
  try {
    return work({ ...disk, flushDirectory: (path) => void directories.add(path) });
  } finally {
    for (const directory of directories) disk.flushDirectory(directory);
  }
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

const temporaryName = /^\.tmp-[0-9a-f]{16}$/;

/**
 * Removes what a writer that died left in `directory`. Only for whoever holds the session's lock: a living writer's file would be lost too.
 */
export const sweepTemporaries = (disk: Disk, directory: string): void => {
  for (const name of disk.readdir(directory))
    if (temporaryName.test(name)) discard(disk, join(directory, name));
};

const writeTemporary = (
  disk: Disk,
  random: Random,
  directory: string,
  content: string | Uint8Array,
  mode: number,
): string => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const temporary = join(directory, `.tmp-${random.hex(16)}`);
  const handle = disk.openExclusive(temporary, mode);
  try {
    try {
      disk.write(handle, bytes);
      disk.flush(handle);
      // Two popular libraries committed truncated files on a full disk and said it went well.
      if (disk.stat(handle).size !== bytes.length) throw new DiskError('ENOSPC', 'write', temporary);
    } finally {
      disk.close(handle);
    }
  } catch (error) {
    discard(disk, temporary);
    throw error;
  }
  return temporary;
};

/** Tidying up must not hide why it was needed: an error of the disk here is of no interest. */
const discard = (disk: Disk, path: string): void => {
  try {
    disk.unlink(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
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
