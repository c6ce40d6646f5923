import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Disk, DiskError, diskCode, type FileKind, type FileStat, type Handle } from './disk.ts';
import { decodeName, encodePath } from './file-names.io.ts';

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/** The real file system. */
export const createDisk = (): Disk => ({
  openExclusive: (path, mode = 0o600) => open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
  openAppend: (path) => open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600),
  openRead: (path) => open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, undefined, 'open-read'),
  write: (handle, bytes) => {
    let done = 0;
    while (done < bytes.length) {
      const wrote = call('write', handle.path, () => writeSync(handle.fd, bytes, done));
      if (wrote === 0) throw new DiskError('ENOSPC', 'write', handle.path);
      done += wrote;
    }
  },
  read,
  stat: (handle) => call('stat', handle.path, () => toStat(fstatSync(handle.fd))),
  truncate: (handle, size) => call('truncate', handle.path, () => ftruncateSync(handle.fd, size)),
  flush: (handle) => call('flush', handle.path, () => fsyncSync(handle.fd)),
  flushAside: (handle) => flushAside(handle),
  close,
  link: (from, to) => call('link', to, () => linkSync(encodePath(from), encodePath(to))),
  rename: (from, to) => call('rename', to, () => renameSync(encodePath(from), encodePath(to))),
  unlink: (path) => call('unlink', path, () => unlinkSync(encodePath(path))),
  readdir: (path) => call('readdir', path, () => listNames(path)),
  lstat: (path) => call('lstat', path, () => statOrNull(path)),
  readlink: (path) =>
    decodeName(call('readlink', path, () => readlinkSync(encodePath(path), { encoding: 'buffer' }))),
  mkdir,
  rmdir: (path) => call('rmdir', path, () => rmdirSync(encodePath(path))),
  chmod: (path, mode) => call('chmod', path, () => chmodSync(encodePath(path), mode)),
  flushDirectory,
  flushDirectoryAside,
});

/** Runs one system call, repeats it when a signal interrupted it, and turns every failure into a `DiskError`. */
const call = <T>(operation: string, path: string, run: () => T): T => {
  for (;;) {
    try {
      return run();
    } catch (error) {
      const code = errnoName(error);
      if (code !== 'EINTR') throw new DiskError(code, operation, path);
    }
  }
};

const flushAside = (handle: Handle, operation = 'flush'): Promise<void> =>
  new Promise((resolve, reject) => {
    const attempt = (): void =>
      fsync(handle.fd, (error) => {
        const code = error ? errnoName(error) : null;
        if (code === null) resolve();
        else if (code === 'EINTR') attempt();
        else reject(new DiskError(code, operation, handle.path));
      });
    attempt();
  });

const errnoName = (error: unknown): string => {
  if (error instanceof DiskError) return error.code;
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return 'EIO';
  // The runtime refuses a NUL in a path before the kernel sees it.
  return error.code.startsWith('ERR_') ? 'EINVAL' : error.code;
};

const open = (path: string, flags: number, mode?: number, operation = 'open'): Handle => ({
  path,
  fd: call(operation, path, () => openSync(encodePath(path), flags, mode)),
});

const read = (handle: Handle, offset: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const got = call('read', handle.path, () =>
      readSync(handle.fd, bytes, done, length - done, offset + done),
    );
    if (got === 0) break;
    done += got;
  }
  return done === length ? bytes : bytes.subarray(0, done);
};

/** Does not repeat `close` after EINTR: the descriptor is already free and may belong to another file. */
const close = (handle: Handle): void => {
  try {
    closeSync(handle.fd);
  } catch (error) {
    const code = errnoName(error);
    if (code !== 'EINTR') throw new DiskError(code, 'close', handle.path);
  }
};

/** UTF-8 names are the fast path. Only a listing with a replacement character is read again as bytes. */
const listNames = (path: string): string[] => {
  const target = encodePath(path);
  const names = readdirSync(target);
  return names.some((name) => name.includes('\ufffd'))
    ? readdirSync(target, { encoding: 'buffer' }).map(decodeName)
    : names;
};

const statOrNull = (path: string): FileStat | null => {
  try {
    const stats = lstatSync(encodePath(path), { throwIfNoEntry: false });
    return stats ? toStat(stats) : null;
  } catch (error) {
    // The parent is not a directory, so nothing exists below it.
    if (errnoName(error) === 'ENOTDIR') return null;
    throw error;
  }
};

/** Flushes each new directory into its parent, so that a power loss cannot take it and its later content away. */
const mkdir = (path: string): boolean => {
  const first = makeAll(path);
  if (first === null) return false;
  let made = path.replace(/\/+$/, '');
  for (;;) {
    const parent = dirname(made);
    flushDirectory(parent);
    if (made.length <= first.length || parent === made) return true;
    made = parent;
  }
};

/**
 * Returns the topmost directory it created, `null` when all of them existed. Creates them one by one, because the runtime's recursive `mkdir` reports
 * a missing path on a read-only file system and never returns where nothing can be created at all (`/proc`).
 */
const makeAll = (path: string): string | null => {
  try {
    return makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if (diskCode(error) !== 'ENOENT' || parent === path) throw error;
    const first = makeAll(parent);
    const own = makeOne(path);
    return first ?? own;
  }
};

/** Returns `null` when the directory exists, also through a link. One that was there and is gone a moment later is made again: `git clean` may be at it. */
const makeOne = (path: string): string | null => {
  for (let tries = 1; ; tries += 1) {
    try {
      call('mkdir', path, () => mkdirSync(encodePath(path), 0o700));
      return path;
    } catch (error) {
      if (isDirectory(path)) return null;
      if (diskCode(error) !== 'EEXIST' || tries === mostTries || !comesAndGoes(path)) throw error;
    }
  }
};

const mostTries = 100;

/** Nothing else has its name. */
const comesAndGoes = (path: string): boolean => {
  try {
    return lstatSync(encodePath(path)).isDirectory();
  } catch (error) {
    return errnoName(error) === 'ENOENT';
  }
};

const isDirectory = (path: string): boolean => {
  try {
    return statSync(encodePath(path)).isDirectory();
  } catch {
    return false;
  }
};

const openDirectory = (path: string): Handle => open(path, O_RDONLY | O_DIRECTORY);

const flushDirectory = (path: string): void => {
  const handle = openDirectory(path);
  try {
    call('flush-directory', path, () => fsyncSync(handle.fd));
  } catch (error) {
    if (!isNoSuchCall(error)) throw error;
  } finally {
    close(handle);
  }
};

const flushDirectoryAside = async (path: string): Promise<void> => {
  const handle = openDirectory(path);
  try {
    await flushAside(handle, 'flush-directory');
  } catch (error) {
    if (!isNoSuchCall(error)) throw error;
  } finally {
    close(handle);
  }
};

/** Some network and translated file systems cannot flush a directory. No remedy exists. */
const isNoSuchCall = (error: unknown): boolean =>
  error instanceof DiskError && (error.code === 'EINVAL' || error.code === 'ENOTSUP');

const toStat = (stats: Stats): FileStat => ({
  kind: kindOf(stats),
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  ino: stats.ino,
  dev: stats.dev,
  nlink: stats.nlink,
  uid: stats.uid,
  mode: stats.mode & 0o777,
});

const kindOf = (stats: Stats): FileKind => {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFIFO()) return 'fifo';
  return stats.isSocket() ? 'socket' : 'other';
};
