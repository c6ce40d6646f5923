import { join } from 'node:path';
import { type Disk, DiskError, type Handle } from './disk.ts';
import type { Random } from './random.ts';

/**
 * A file that nobody knows yet: completely written, flushed, its size verified. Gives its path. Throws `DiskError`; then nothing is left of it.
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

/** Files that were written ahead of their moment: most of what writing one takes is waiting for the disk, and others can use that time. */
export interface PreparedFiles {
  /** The path of one with this content and mode that lies in `directory`, or null. It is the caller's from now on. */
  take(directory: string, content: string | Uint8Array, mode: number): string | null;
}

/** What `prepareFiles` makes temporary files of. */
export interface PlannedFile {
  readonly directory: string;
  readonly text: string;
  readonly mode: number;
}

/** Files that are open at a time: a plan may have thousands of tasks. */
const mostOpen = 64;

/**
 * Writes temporary files and flushes them beside this thread. What the disk refuses is not among them: who takes nothing writes it in its moment and hears why.
 * `discard` removes those that nobody took.
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

/** Removes what has become of no use. Tidying up must not hide why it was needed: an error of the disk here is of no interest. */
export const discard = (disk: Disk, path: string): void => {
  try {
    disk.unlink(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
};

/** The same of a directory that was made for a file which could not be written; one with anything in it stays. */
export const discardDirectory = (disk: Disk, path: string): void => {
  try {
    disk.rmdir(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
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

/** Two popular libraries committed truncated files on a full disk and said it went well. */
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
