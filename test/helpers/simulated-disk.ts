import { type Disk, DiskError, type FileKind } from '../../src/base/disk.ts';
import { createCalls } from './simulated-disk-calls.ts';
import { createPending, type UnflushedChange } from './simulated-disk-pending.ts';
import { createTree } from './simulated-disk-tree.ts';

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
  /** No crash comes any more. */
  spare(): void;
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
  /** Removes a file, a link or a directory with all in it; silent when nothing is there. */
  drop(path: string): void;
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

export const createSimulatedDisk = (options: SimulatedDiskOptions = {}): SimulatedDisk => {
  const tree = createTree(options);
  const pending = createPending(tree, options.ignoreFlush === true);
  let operations = 0;
  let crashAt: { at: number; torn: boolean } | null = null;
  let dead = false;

  const alive = (operation: string): void => {
    if (dead) throw new SimulatedCrash(operation);
  };
  const change = (operation: string, lastGasp?: () => void): void => {
    alive(operation);
    operations += 1;
    if (crashAt === null || operations < crashAt.at) return;
    if (crashAt.torn) lastGasp?.();
    dead = true;
    throw new SimulatedCrash(operation);
  };
  const calls = createCalls(tree, pending, { alive, change });

  const restart = (): void => {
    calls.closeAll();
    crashAt = null;
    dead = false;
  };
  return {
    ...calls.disk,
    operations: () => operations,
    crashAfter: (n, { torn = false } = {}) => {
      crashAt = { at: operations + n, torn };
    },
    spare: () => {
      crashAt = null;
    },
    crashed: () => dead,
    restart,
    loseUnflushed: (choose) => {
      restart();
      pending.lose(choose);
    },
    unflushed: pending.list,
    setSpace: calls.setSpace,
    put: (path, content, mode = 0o600) => {
      const inode = tree.make('file', mode);
      inode.data = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
      inode.size = inode.data.length;
      pending.preset(path, inode);
    },
    drop: (path) => {
      if (tree.find(path, 'drop', true)) pending.preset(path, null);
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
