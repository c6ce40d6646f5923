import { dirname, join } from 'node:path';
import { DiskError, diskCode, type FileKind, type FileStat } from '../../base/disk.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { suffixName } from './names.ts';

/**
 * Makes a new file appear with all of its content and durable, or not at all: temporary file, flush, `link`, flush of the directory (rule 1). False
 * when the name is taken. A rename would silently overwrite a foreign file. An existing file is durable afterwards too: its writer may have died
 * right after the link, and the caller relies on that finished work.
 */
export const place = (parts: MailboxParts, path: string, bytes: Uint8Array): boolean => {
  const temporary = join(parts.paths.tmp, `${parts.owner}~${parts.random.hex(16)}`);
  try {
    writeTemporary(parts, temporary, bytes);
    const isNew = linkNew(parts, temporary, path);
    parts.disk.flushDirectory(dirname(path));
    return isNew;
  } finally {
    discard(parts, temporary);
  }
};

/** Replaces the bytes of a file of ours, completely or not at all. */
export const placeAgain = (parts: MailboxParts, path: string, bytes: Uint8Array): void => {
  const temporary = join(parts.paths.tmp, `${parts.owner}~${parts.random.hex(16)}`);
  try {
    writeTemporary(parts, temporary, bytes);
    parts.disk.rename(temporary, path);
    parts.disk.flushDirectory(dirname(path));
  } catch (error) {
    discard(parts, temporary);
    throw error;
  }
};

/** Removes a file. Ignores disk errors: they must not hide the reason for the cleanup. */
export const discard = (parts: MailboxParts, path: string): void => {
  try {
    parts.disk.unlink(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
};

const writeTemporary = (parts: MailboxParts, path: string, bytes: Uint8Array): void => {
  const handle = openFresh(parts, path);
  try {
    parts.disk.write(handle, bytes);
    parts.disk.flush(handle);
    if (parts.disk.stat(handle).size !== bytes.length) throw new DiskError('ENOSPC', 'write', path);
  } finally {
    parts.disk.close(handle);
  }
};

/** A person may have removed `tmp/`. */
const openFresh = (parts: MailboxParts, path: string) => {
  try {
    return parts.disk.openExclusive(path);
  } catch (error) {
    if (diskCode(error) !== 'ENOENT' || parts.disk.lstat(parts.paths.directory) === null) throw error;
    parts.disk.mkdir(parts.paths.tmp);
    return parts.disk.openExclusive(path);
  }
};

/** False when the name is taken. */
const linkNew = (parts: MailboxParts, from: string, to: string): boolean => {
  try {
    parts.disk.link(from, to);
    return true;
  } catch (error) {
    if (diskCode(error) === 'EEXIST') return false;
    throw error;
  }
};

export const unlinkIfThere = (parts: MailboxParts, path: string): void => {
  try {
    parts.disk.unlink(path);
  } catch (error) {
    if (diskCode(error) !== 'ENOENT') throw error;
  }
};

/** Names in a directory. Empty when it does not exist. */
export const namesIn = (parts: MailboxParts, path: string): readonly string[] => {
  try {
    return parts.disk.readdir(path);
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return [];
    throw error;
  }
};

export interface SmallFile {
  readonly stat: FileStat;
  /** Null when it is not a regular file, too large or unreadable. `reason` gives the cause as a clause. */
  readonly bytes: Uint8Array | null;
  readonly reason: string | null;
}

/** Reads a file of at most `largest` bytes without following a link or waiting for a writer; null when it does not exist (rule 3). */
export const readSmall = (parts: MailboxParts, path: string, largest: number): SmallFile | null => {
  const before = parts.disk.lstat(path);
  if (before === null) return null;
  if (before.kind !== 'file')
    return { stat: before, bytes: null, reason: `is ${kindWords[before.kind]}, not a file` };
  try {
    const handle = parts.disk.openRead(path);
    try {
      const stat = parts.disk.stat(handle);
      if (stat.kind !== 'file')
        return { stat, bytes: null, reason: `is ${kindWords[stat.kind]}, not a file` };
      if (stat.size > largest)
        return { stat, bytes: null, reason: `is ${stat.size} bytes; at most ${largest} are allowed` };
      return { stat, bytes: parts.disk.read(handle, 0, stat.size), reason: null };
    } finally {
      parts.disk.close(handle);
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
 * Moves the file at `from` into `directory` under `name` or, when that is taken, a similar name. Never overwrites. A regular file is durable in
 * one of the two places at any time. Safe to repeat after a crash in the middle. Returns the new name, or null when `from` does not exist.
 */
export const moveAside = (
  parts: MailboxParts,
  from: string,
  directory: string,
  name: string,
): string | null => {
  const stat = parts.disk.lstat(from);
  if (stat === null) return null;
  for (let candidate = name; ; candidate = suffixName(name, parts.random.hex(8))) {
    const to = join(directory, candidate);
    const there = parts.disk.lstat(to);
    if (stat.kind !== 'file') {
      if (there !== null) continue;
      parts.disk.rename(from, to);
      return candidate;
    }
    const half = there !== null && isOneFile(there, stat);
    if (!half && !linkNew(parts, from, to)) continue;
    parts.disk.flushDirectory(directory);
    unlinkIfThere(parts, from);
    return candidate;
  }
};

/** The name that `moveAside` will use unless another process takes it first. It allows writing an accompanying file before. */
export const nameAside = (parts: MailboxParts, from: string, directory: string, name: string): string => {
  const stat = parts.disk.lstat(from);
  for (let candidate = name; ; candidate = suffixName(name, parts.random.hex(8))) {
    const there = parts.disk.lstat(join(directory, candidate));
    if (there === null || (stat !== null && isOneFile(there, stat))) return candidate;
  }
};

/** Whether two names belong to one file. */
export const isOneFile = (a: FileStat, b: FileStat): boolean => a.ino === b.ino && a.dev === b.dev;
