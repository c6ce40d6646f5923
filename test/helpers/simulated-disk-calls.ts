import { dirname } from 'node:path';
import { type Disk, DiskError, type Handle } from '../../src/base/disk.ts';
import type { Pending } from './simulated-disk-pending.ts';
import type { Inode, Tree } from './simulated-disk-tree.ts';

/** The calls of the simulated disk: what each does and refuses, as Linux does for a user who is not root. */
export const createCalls = (tree: Tree, pending: Pending, gate: Gate): SimulatedCalls => {
  const opened = new Map<number, Open>();
  let nextFd = 3;
  let space: number | null = null;
  const { alive, change } = gate;

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
      alive('openAppend');
      const found = tree.find(path, 'open');
      if (!found) change('openAppend');
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
    flushAside: async (handle) => disk.flush(handle),
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
    readlink: (path) => {
      alive('readlink');
      const found = tree.get(path, 'readlink');
      if (found.kind !== 'symlink') throw new DiskError('EINVAL', 'readlink', path);
      return found.target;
    },
    mkdir: (path) => {
      alive('mkdir');
      const missing = tree.missing(path);
      if (missing.length === 0) return false;
      change('mkdir');
      for (const directory of missing) {
        pending.enter(directory, tree.make('directory', 0o700), 'mkdir');
        pending.flush(tree.directory(dirname(directory), 'mkdir'));
      }
      return true;
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
    flushDirectoryAside: async (path) => disk.flushDirectory(path),
  };
  return {
    disk,
    closeAll: () => opened.clear(),
    setSpace: (bytes) => {
      space = bytes;
    },
  };
};

/** Where the simulation stops a call. */
export interface Gate {
  /** Throws when the process is dead. */
  alive(operation: string): void;
  /** Counts a changing operation; `lastGasp` is what still happens when this one is the crash. */
  change(operation: string, lastGasp?: () => void): void;
}

export interface SimulatedCalls {
  readonly disk: Disk;
  closeAll(): void;
  setSpace(bytes: number | null): void;
}

interface Open {
  readonly inode: Inode;
  readonly access: 'read' | 'write' | 'append';
  position: number;
}

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
