import { dirname } from 'node:path';
import { type Disk, DiskError, type FileKind, type Handle } from '../../src/base/disk.ts';
import { createPending, type UnflushedChange } from './simulated-disk-pending.ts';
import { createTree, type Inode, type Tree } from './simulated-disk-tree.ts';

/**
 * A file system in memory that can stop at any operation, lose what was not flushed, and fill up. It behaves as `disk.io.ts` does on Linux for a
 * user who is not root; both pass `test/base/disk-conformance.ts`.
 */
export interface SimulatedDisk extends Disk {
  /** Operations that change something, since the start. */
  readonly operations: () => number;
  /**
   * The `n`-th changing operation from now (1 is the next) does not happen and throws `SimulatedCrash`, as does every call after it until `restart`.
   * `torn`: if it is a write, the first half of its bytes arrives.
   */
  crashAfter(n: number, options?: { readonly torn?: boolean }): void;
  readonly crashed: () => boolean;
  /** The process died: handles are gone, everything issued so far stays. */
  restart(): void;
  /**
   * The power failed: each un-flushed change is lost when `choose` says so. A lost write takes all later changes of its file with it; `'torn'` keeps
   * half of it. Handles are gone.
   */
  loseUnflushed(choose: (change: UnflushedChange) => boolean | 'torn'): void;
  readonly unflushed: () => readonly UnflushedChange[];
  /** Bytes that may still be written before `ENOSPC`; `null` for no limit. Deleting files gives room again. */
  setSpace(bytes: number | null): void;
  // What tests put there beside the program.
  put(path: string, content: string | Uint8Array, mode?: number): void;
  putSpecial(path: string, kind: Exclude<FileKind, 'file' | 'directory' | 'symlink'>): void;
  putSymlink(path: string, target: string): void;
  /** A file of that size that takes no room. */
  putSparse(path: string, size: number): void;
  setOwner(path: string, uid: number): void;
  setModified(path: string, mtimeMs: number): void;
  /** The content as text; throws when it is not a file. */
  text(path: string): string;
  /** Every path below `path`, directories with a closing slash, sorted. */
  tree(path?: string): string[];
}

export interface SimulatedDiskOptions {
  /** For `mtimeMs` and `ctimeMs`; without it time is a counter. */
  readonly now?: () => number;
  /** Flushing does nothing: the power-loss tests have to find losses then. */
  readonly ignoreFlush?: boolean;
  /** Default 1000; 0 (root) is not held up by permission bits. */
  readonly uid?: number;
}

/** The process is dead: nobody may catch this and go on. */
export class SimulatedCrash extends Error {
  constructor(operation: string) {
    super(`simulated crash at ${operation}`);
    this.name = 'SimulatedCrash';
  }
}

interface Open {
  readonly inode: Inode;
  readonly access: 'read' | 'write' | 'append';
  position: number;
}

export const createSimulatedDisk = (options: SimulatedDiskOptions = {}): SimulatedDisk => {
  const tree = createTree(options);
  const pending = createPending(tree, options.ignoreFlush === true);
  const opened = new Map<number, Open>();
  let nextFd = 3;
  let operations = 0;
  let crashAt: { at: number; torn: boolean } | null = null;
  let dead = false;
  let space: number | null = null;

  const alive = (operation: string): void => {
    if (dead) throw new SimulatedCrash(operation);
  };
  /** Counts a changing operation; `lastGasp` is what still happens when this one is the crash. */
  const change = (operation: string, lastGasp?: () => void): void => {
    alive(operation);
    operations += 1;
    if (crashAt === null || operations < crashAt.at) return;
    if (crashAt.torn) lastGasp?.();
    dead = true;
    throw new SimulatedCrash(operation);
  };
  const file = (handle: Handle, operation: string): Open => {
    const open = opened.get(handle.fd);
    if (!open) throw new DiskError('EBADF', operation, handle.path);
    return open;
  };
  const open = (path: string, inode: Inode, access: Open['access']): Handle => {
    const fd = nextFd++;
    opened.set(fd, { inode, access, position: 0 });
    return { path, fd };
  };
  const create = (path: string, mode: number): Inode => {
    const inode = tree.make('file', mode);
    pending.enter(path, inode, 'create');
    return inode;
  };
  const store = (open: Open, bytes: Uint8Array, path: string): void => {
    const at = open.access === 'append' ? open.inode.size : open.position;
    const fits = space === null ? bytes.length : Math.min(bytes.length, space);
    pending.write(open.inode, at, bytes.subarray(0, fits), path);
    open.position = at + fits;
    if (space !== null) space -= fits;
    if (fits < bytes.length) throw new DiskError('ENOSPC', 'write', path);
  };
  const remove = (path: string, inode: Inode, operation: 'unlink' | 'rmdir'): void => {
    pending.enter(path, null, operation);
    if (space !== null && inode.nlink === 0) space += inode.data.length;
  };

  const disk: Disk = {
    openExclusive: (path, mode = 0o600) => {
      change('openExclusive');
      if (tree.find(path, 'open')) throw new DiskError('EEXIST', 'open', path);
      return open(path, create(path, mode), 'write');
    },
    openAppend: (path) => {
      const found = dead ? null : tree.find(path, 'open');
      if (found) alive('openAppend');
      else change('openAppend');
      if (found) refuse(found, path, tree, 0o200);
      return open(path, found ?? create(path, 0o600), 'append');
    },
    openRead: (path) => {
      alive('openRead');
      const found = tree.get(path, 'open');
      refuse(found, path, tree, 0o400);
      return open(path, found, 'read');
    },
    write: (handle, bytes) => {
      const target = file(handle, 'write');
      change('write', () => store(target, bytes.subarray(0, bytes.length >> 1), handle.path));
      if (target.access === 'read') throw new DiskError('EBADF', 'write', handle.path);
      store(target, bytes, handle.path);
    },
    read: (handle, offset, length) => {
      alive('read');
      const { inode } = file(handle, 'read');
      if (inode.kind === 'directory') throw new DiskError('EISDIR', 'read', handle.path);
      if (inode.kind !== 'file') throw new DiskError('ESPIPE', 'read', handle.path);
      const bytes = new Uint8Array(Math.max(0, Math.min(length, inode.size - offset)));
      bytes.set(inode.data.subarray(offset, Math.min(offset + bytes.length, inode.data.length)));
      return bytes;
    },
    stat: (handle) => {
      alive('stat');
      return tree.stat(file(handle, 'stat').inode);
    },
    truncate: (handle, size) => {
      const { inode, access } = file(handle, 'truncate');
      change('truncate');
      if (access === 'read') throw new DiskError('EINVAL', 'truncate', handle.path);
      pending.truncate(inode, size, handle.path);
    },
    flush: (handle) => {
      const { inode } = file(handle, 'flush');
      change('flush');
      pending.flush(inode);
    },
    close: (handle) => {
      alive('close');
      file(handle, 'close');
      opened.delete(handle.fd);
    },
    link: (from, to) => {
      change('link');
      const inode = tree.get(from, 'link');
      if (tree.find(to, 'link')) throw new DiskError('EEXIST', 'link', to);
      if (inode.kind === 'directory') throw new DiskError('EPERM', 'link', to);
      pending.enter(to, inode, 'link');
    },
    rename: (from, to) => {
      change('rename');
      const inode = tree.get(from, 'rename');
      const over = tree.find(to, 'rename');
      if (over === inode) return;
      if (over) mayReplace(inode, over, to);
      pending.rename(from, to, inode);
      if (space !== null && over?.nlink === 0) space += over.data.length;
    },
    unlink: (path) => {
      change('unlink');
      const inode = tree.get(path, 'unlink');
      if (inode.kind === 'directory') throw new DiskError('EISDIR', 'unlink', path);
      remove(path, inode, 'unlink');
    },
    readdir: (path) => {
      alive('readdir');
      return [...tree.directory(path, 'readdir').entries.keys()];
    },
    lstat: (path) => {
      alive('lstat');
      const found = tree.find(path, 'lstat', true);
      return found ? tree.stat(found) : null;
    },
    mkdir: (path) => {
      alive('mkdir');
      const missing = tree.missing(path);
      if (missing.length === 0) return;
      change('mkdir');
      for (const directory of missing) {
        pending.enter(directory, tree.make('directory', 0o700), 'mkdir');
        pending.flush(tree.directory(dirname(directory), 'mkdir'));
      }
    },
    rmdir: (path) => {
      change('rmdir');
      const inode = tree.get(path, 'rmdir');
      if (inode.kind !== 'directory') throw new DiskError('ENOTDIR', 'rmdir', path);
      if (inode.entries.size > 0) throw new DiskError('ENOTEMPTY', 'rmdir', path);
      remove(path, inode, 'rmdir');
    },
    chmod: (path, mode) => {
      change('chmod');
      tree.touch(tree.follow(path, 'chmod'), { mode: mode & 0o777 });
    },
    flushDirectory: (path) => {
      change('flushDirectory');
      pending.flush(tree.directory(path, 'flush-directory'));
    },
  };

  const restart = (): void => {
    opened.clear();
    crashAt = null;
    dead = false;
  };
  return {
    ...disk,
    operations: () => operations,
    crashAfter: (n, { torn = false } = {}) => {
      crashAt = { at: operations + n, torn };
    },
    crashed: () => dead,
    restart,
    loseUnflushed: (choose) => {
      restart();
      pending.lose(choose);
    },
    unflushed: pending.list,
    setSpace: (bytes) => {
      space = bytes;
    },
    put: (path, content, mode = 0o600) => {
      const inode = tree.make('file', mode);
      inode.data = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
      inode.size = inode.data.length;
      pending.preset(path, inode);
    },
    putSpecial: (path, kind) => pending.preset(path, tree.make(kind, 0o600)),
    putSymlink: (path, target) => pending.preset(path, tree.make('symlink', 0o777, target)),
    putSparse: (path, size) => {
      const inode = tree.make('file', 0o600);
      inode.size = size;
      pending.preset(path, inode);
    },
    setOwner: (path, uid) => tree.touch(tree.get(path, 'chown'), { uid }),
    setModified: (path, mtimeMs) => tree.touch(tree.get(path, 'utimes'), { mtimeMs }),
    text: (path) => {
      const inode = tree.follow(path, 'read');
      if (inode.kind !== 'file') throw new DiskError('EINVAL', 'read', path);
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(inode.data.subarray(0, inode.size));
    },
    tree: tree.paths,
  };
};

/** What opening without following or waiting refuses. */
const refuse = (inode: Inode, path: string, tree: Tree, bit: number): void => {
  if (inode.kind === 'symlink') throw new DiskError('ELOOP', 'open', path);
  if (inode.kind === 'socket') throw new DiskError('ENXIO', 'open', path);
  if (inode.kind === 'directory' && bit === 0o200) throw new DiskError('EISDIR', 'open', path);
  if (!tree.may(inode, bit)) throw new DiskError('EACCES', 'open', path);
};

const mayReplace = (inode: Inode, over: Inode, to: string): void => {
  if (over.kind === 'directory' && inode.kind !== 'directory') throw new DiskError('EISDIR', 'rename', to);
  if (over.kind !== 'directory' && inode.kind === 'directory') throw new DiskError('ENOTDIR', 'rename', to);
  if (over.entries.size > 0) throw new DiskError('ENOTEMPTY', 'rename', to);
};
