import { join } from 'node:path';
import { type Disk, DiskError, type Handle } from './disk.ts';
import type { Random } from './random.ts';

/**
 * Writes a temporary file completely, flushes it and verifies its size. Returns its path. Throws `DiskError`; the file is then removed.
 */
export const writeTemporary = (
  disk: Disk,
  random: Random,
  directory: string,
  content: string | Uint8Array,
  mode: number,
): string => {
  const begun = begin(disk, random, directory, content, mode);
  try {
    disk.flush(begun.handle);
    return complete(disk, begun);
  } catch (error) {
    throw undone(disk, begun, error);
  }
};

/** Files written ahead of their use. Most of the cost of a write is waiting for the disk, and other work can use that time. */
export interface PreparedFiles {
  /** The path of a prepared file with this content and mode in `directory`, or null. It belongs to the caller from then on. */
  take(directory: string, content: string | Uint8Array, mode: number): string | null;
}

/** A file for `prepareFiles` to write ahead of time. */
export interface PlannedFile {
  readonly directory: string;
  readonly text: string;
  readonly mode: number;
}

/** The most files open at a time: a plan may have thousands of tasks. */
const mostOpen = 64;

/**
 * Writes temporary files and flushes them without blocking this thread. Skips files that the disk refuses: the caller finds none to take, writes the
 * file itself and gets the error. `discard` removes the files that were not taken.
 */
export const prepareFiles = async (
  disk: Disk,
  random: Random,
  files: readonly PlannedFile[],
): Promise<PreparedFiles & { discard(): void }> => {
  const ready = new Map<string, string>();
  const prepare = async ({ directory, text, mode }: PlannedFile): Promise<void> => {
    const path = await writeAside(disk, random, directory, text, mode);
    const key = keyOf(directory, text, mode);
    if (path === null) return;
    if (ready.has(key)) discard(disk, path);
    else ready.set(key, path);
  };
  for (let from = 0; from < files.length; from += mostOpen)
    await Promise.all(files.slice(from, from + mostOpen).map(prepare));
  return {
    take: (directory, content, mode) => {
      if (typeof content !== 'string') return null;
      const key = keyOf(directory, content, mode);
      const path = ready.get(key) ?? null;
      ready.delete(key);
      return path;
    },
    discard: () => {
      for (const path of ready.values()) discard(disk, path);
      ready.clear();
    },
  };
};

/** Removes a file that is no longer needed. Ignores disk errors: they must not hide the reason for the cleanup. */
export const discard = (disk: Disk, path: string): void => {
  try {
    disk.unlink(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
};

/** Removes the directory of a file that could not be written, unless it has content. Ignores disk errors as `discard` does. */
export const discardDirectory = (disk: Disk, path: string): void => {
  try {
    disk.rmdir(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
};

const temporaryName = /^\.tmp-[0-9a-f]{16}$/;

/** Removes the files in `directory` that a dead writer left. Only for the holder of the session's lock: it would delete a living writer's file. */
export const sweepTemporaries = (disk: Disk, directory: string): void => {
  for (const name of disk.readdir(directory))
    if (temporaryName.test(name)) discard(disk, join(directory, name));
};

interface Begun {
  readonly handle: Handle;
  readonly size: number;
}

const begin = (
  disk: Disk,
  random: Random,
  directory: string,
  content: string | Uint8Array,
  mode: number,
): Begun => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const handle = disk.openExclusive(join(directory, `.tmp-${random.hex(16)}`), mode);
  try {
    disk.write(handle, bytes);
  } catch (error) {
    throw undone(disk, { handle, size: 0 }, error);
  }
  return { handle, size: bytes.length };
};

/** The size is verified because two popular libraries left truncated files on a full disk and reported success. */
const complete = (disk: Disk, { handle, size }: Begun): string => {
  if (disk.stat(handle).size !== size) throw new DiskError('ENOSPC', 'write', handle.path);
  disk.close(handle);
  return handle.path;
};

const undone = (disk: Disk, { handle }: Begun, error: unknown): unknown => {
  try {
    disk.close(handle);
  } catch (other) {
    if (!(other instanceof DiskError)) throw other;
  }
  discard(disk, handle.path);
  return error;
};

const writeAside = async (
  disk: Disk,
  random: Random,
  directory: string,
  text: string,
  mode: number,
): Promise<string | null> => {
  try {
    const begun = begin(disk, random, directory, text, mode);
    try {
      await disk.flushAside(begun.handle);
      return complete(disk, begun);
    } catch (error) {
      throw undone(disk, begun, error);
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return null;
  }
};

const keyOf = (directory: string, text: string, mode: number): string => `${mode} ${directory}\0${text}`;
