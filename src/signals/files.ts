import { dirname, join } from 'node:path';
import { DiskError, diskCode, type FileKind, type FileStat } from '../base/disk.ts';
import type { Box } from './box.ts';
import { suffixName } from './names.ts';

/**
 * Makes a new file appear with all of its content and durable, or not at all: temporary file, flush, `link`, flush of the directory (rule 1). False
 * when the name is taken. A rename would silently overwrite somebody's file. What has the name is durable then as well: a program that died may have
 * linked it and no more, and whoever finds its work done goes on from there.
 */
export const place = (box: Box, path: string, bytes: Uint8Array): boolean => {
  const temporary = join(box.paths.tmp, `${box.owner}~${box.random.hex(16)}`);
  try {
    writeTemporary(box, temporary, bytes);
    const isNew = linkNew(box, temporary, path);
    box.disk.flushDirectory(dirname(path));
    return isNew;
  } finally {
    discard(box, temporary);
  }
};

/** Puts other bytes in the place of a file of ours, whole or not at all. */
export const placeAgain = (box: Box, path: string, bytes: Uint8Array): void => {
  const temporary = join(box.paths.tmp, `${box.owner}~${box.random.hex(16)}`);
  try {
    writeTemporary(box, temporary, bytes);
    box.disk.rename(temporary, path);
    box.disk.flushDirectory(dirname(path));
  } catch (error) {
    discard(box, temporary);
    throw error;
  }
};

/** Tidying up must not hide why it was needed. */
export const discard = (box: Box, path: string): void => {
  try {
    box.disk.unlink(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
};

const writeTemporary = (box: Box, path: string, bytes: Uint8Array): void => {
  const handle = openFresh(box, path);
  try {
    box.disk.write(handle, bytes);
    box.disk.flush(handle);
    if (box.disk.stat(handle).size !== bytes.length) throw new DiskError('ENOSPC', 'write', path);
  } finally {
    box.disk.close(handle);
  }
};

/** `tmp/` may have been tidied away by a person. */
const openFresh = (box: Box, path: string) => {
  try {
    return box.disk.openExclusive(path);
  } catch (error) {
    if (diskCode(error) !== 'ENOENT' || box.disk.lstat(box.paths.directory) === null) throw error;
    box.disk.mkdir(box.paths.tmp);
    return box.disk.openExclusive(path);
  }
};

/** False when the name is taken. */
export const linkNew = (box: Box, from: string, to: string): boolean => {
  try {
    box.disk.link(from, to);
    return true;
  } catch (error) {
    if (diskCode(error) === 'EEXIST') return false;
    throw error;
  }
};

export const unlinkIfThere = (box: Box, path: string): void => {
  try {
    box.disk.unlink(path);
  } catch (error) {
    if (diskCode(error) !== 'ENOENT') throw error;
  }
};

/** Names in a directory; none when it is not there. */
export const namesIn = (box: Box, path: string): readonly string[] => {
  try {
    return box.disk.readdir(path);
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return [];
    throw error;
  }
};

export interface SmallFile {
  readonly stat: FileStat;
  /** Null when it is no regular file, too large or unreadable; `reason` says which, as a clause. */
  readonly bytes: Uint8Array | null;
  readonly reason: string | null;
}

/** Reads a file of at most `largest` bytes without following a link or waiting for a writer; null when nothing is there (rule 3). */
export const readSmall = (box: Box, path: string, largest: number): SmallFile | null => {
  const before = box.disk.lstat(path);
  if (before === null) return null;
  if (before.kind !== 'file')
    return { stat: before, bytes: null, reason: `is ${kindWords[before.kind]}, not a file` };
  try {
    const handle = box.disk.openRead(path);
    try {
      const stat = box.disk.stat(handle);
      if (stat.kind !== 'file')
        return { stat, bytes: null, reason: `is ${kindWords[stat.kind]}, not a file` };
      if (stat.size > largest)
        return { stat, bytes: null, reason: `is ${stat.size} bytes large; at most ${largest} are possible` };
      return { stat, bytes: box.disk.read(handle, 0, stat.size), reason: null };
    } finally {
      box.disk.close(handle);
    }
  } catch (error) {
    const code = diskCode(error);
    if (code === 'ENOENT') return null;
    if (code === '') throw error;
    return { stat: before, bytes: null, reason: `cannot be read (${code})` };
  }
};

const kindWords: Readonly<Record<FileKind, string>> = {
  file: 'a file',
  directory: 'a directory',
  symlink: 'a symbolic link',
  fifo: 'a named pipe',
  socket: 'a socket',
  other: 'a device',
};

/**
 * Moves whatever lies at `from` into `directory` under `name` or, when that is taken, a name beside it; never overwrites, and never leaves a moment
 * in which a regular file is durable in neither place. Safe to repeat after a crash in the middle. The new name, or null when nothing is there.
 */
export const moveAside = (box: Box, from: string, directory: string, name: string): string | null => {
  const stat = box.disk.lstat(from);
  if (stat === null) return null;
  for (let candidate = name; ; candidate = suffixName(name, box.random.hex(8))) {
    const to = join(directory, candidate);
    const there = box.disk.lstat(to);
    if (stat.kind !== 'file') {
      if (there !== null) continue;
      box.disk.rename(from, to);
      return candidate;
    }
    const half = there !== null && isOneFile(there, stat);
    if (!half && !linkNew(box, from, to)) continue;
    box.disk.flushDirectory(directory);
    unlinkIfThere(box, from);
    return candidate;
  }
};

/** The name under which `moveAside` will put it there, unless somebody takes that first: what has to stand beside it can be written before. */
export const nameAside = (box: Box, from: string, directory: string, name: string): string => {
  const stat = box.disk.lstat(from);
  for (let candidate = name; ; candidate = suffixName(name, box.random.hex(8))) {
    const there = box.disk.lstat(join(directory, candidate));
    if (there === null || (stat !== null && isOneFile(there, stat))) return candidate;
  }
};

/** Two names of one file. */
export const isOneFile = (a: FileStat, b: FileStat): boolean => a.ino === b.ino && a.dev === b.dev;
