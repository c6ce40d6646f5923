import type { Inode, Tree } from './simulated-disk-tree.ts';

/** A change that a power loss could still take back. */
export interface UnflushedChange {
  readonly kind: 'create' | 'link' | 'rename' | 'unlink' | 'mkdir' | 'rmdir' | 'write' | 'truncate';
  readonly path: string;
}

/** Applies changes to the tree and keeps apart what is on the platter and what is only in the page cache. */
export interface Pending {
  enter(path: string, inode: Inode | null, kind: UnflushedChange['kind']): void;
  rename(from: string, to: string, inode: Inode): void;
  write(inode: Inode, offset: number, bytes: Uint8Array, path: string): void;
  truncate(inode: Inode, size: number, path: string): void;
  flush(inode: Inode): void;
  lose(choose: (change: UnflushedChange) => boolean | 'torn'): void;
  list(): readonly UnflushedChange[];
  /** Puts something there, or removes it, for good: a test's own preparations. */
  preset(path: string, inode: Inode | null): void;
}

/** One entry of one directory, as a change sets it. */
interface Entry {
  readonly directory: Inode;
  readonly name: string;
  readonly inode: Inode | null;
}

interface DirectoryChange extends UnflushedChange {
  /** A rename sets two entries in one transaction: both survive or none, and flushing either directory makes both durable. */
  entries: readonly Entry[];
}

interface DataChange extends UnflushedChange {
  readonly bytes: number;
  readonly undo: (keep: number) => void;
}

export const createPending = (tree: Tree, ignoreFlush: boolean): Pending => {
  /** What a directory durably holds; one that is not listed here holds nothing. */
  const durable = new Map<Inode, Map<string, Inode>>();
  let directoryChanges: DirectoryChange[] = [];
  const dataChanges = new Map<Inode, DataChange[]>();

  const record = (entries: readonly Entry[], kind: UnflushedChange['kind'], path: string): void => {
    for (const entry of entries) tree.set(entry.directory, entry.name, entry.inode);
    directoryChanges.push({ kind, path, entries });
  };
  const makeDurable = (entry: Entry): void => {
    const held = durable.get(entry.directory) ?? new Map<string, Inode>();
    durable.set(entry.directory, held);
    if (entry.inode) held.set(entry.name, entry.inode);
    else held.delete(entry.name);
  };
  /** Older changes of the same entries are overtaken: they must not be applied after a newer one. */
  const overtake = (older: readonly DirectoryChange[], entries: readonly Entry[]): void => {
    for (const change of older)
      change.entries = change.entries.filter(
        (entry) => !entries.some((done) => done.directory === entry.directory && done.name === entry.name),
      );
  };
  const flushEntries = (directory: Inode): void => {
    const left: DirectoryChange[] = [];
    for (const change of directoryChanges) {
      if (!change.entries.some((entry) => entry.directory === directory)) {
        left.push(change);
        continue;
      }
      // What is left has no entry of this directory: only the other entry of a rename can be among it.
      if (change.entries.length > 1) overtake(left, change.entries);
      change.entries.forEach(makeDurable);
    }
    directoryChanges = left.filter((change) => change.entries.length > 0);
  };
  const addData = (inode: Inode, change: DataChange): void => {
    const list = dataChanges.get(inode);
    if (list) list.push(change);
    else dataChanges.set(inode, [change]);
  };
  const touched = (inode: Inode): void => tree.touch(inode, { mtimeMs: tree.now() });

  const restoreTree = (directory: Inode): void => {
    for (const name of [...directory.entries.keys()]) tree.set(directory, name, null);
    for (const [name, inode] of durable.get(directory) ?? []) {
      tree.set(directory, name, inode);
      if (inode.kind === 'directory') restoreTree(inode);
    }
  };
  const loseData = (choose: (change: UnflushedChange) => boolean | 'torn'): void => {
    for (const changes of dataChanges.values()) {
      const verdicts = changes.map((change) => choose({ kind: change.kind, path: change.path }));
      const first = verdicts.findIndex((lost) => lost !== false);
      if (first < 0) continue;
      for (let at = changes.length - 1; at >= first; at -= 1) {
        const change = changes[at];
        change?.undo(at === first && verdicts[at] === 'torn' ? change.bytes >> 1 : 0);
      }
    }
    dataChanges.clear();
  };

  return {
    enter: (path, inode, kind) => {
      record([{ ...tree.place(path, kind), inode }], kind, path);
    },
    rename: (from, to, inode) => {
      const source = tree.place(from, 'rename');
      const target = tree.place(to, 'rename');
      record(
        [
          { ...source, inode: null },
          { ...target, inode },
        ],
        'rename',
        to,
      );
    },
    write: (inode, offset, bytes, path) => {
      const before = { data: inode.data, size: inode.size };
      const covered = inode.data.slice(offset, Math.min(inode.data.length, offset + bytes.length));
      put(inode, offset, bytes);
      touched(inode);
      const undo = (keep: number): void => {
        put(inode, offset, covered);
        inode.size = Math.max(before.size, keep > 0 ? offset + keep : 0);
        inode.data = inode.data.subarray(0, Math.min(inode.data.length, inode.size));
        if (keep > 0) put(inode, offset, bytes.slice(0, keep));
      };
      addData(inode, { kind: 'write', path, bytes: bytes.length, undo });
    },
    truncate: (inode, size, path) => {
      const before = { data: inode.data.slice(), size: inode.size };
      inode.data = inode.data.slice(0, size);
      inode.size = size;
      touched(inode);
      const undo = (): void => {
        inode.data = before.data;
        inode.size = before.size;
      };
      addData(inode, { kind: 'truncate', path, bytes: 0, undo });
    },
    flush: (inode) => {
      if (ignoreFlush) return;
      if (inode.kind === 'directory') flushEntries(inode);
      else dataChanges.delete(inode);
    },
    lose: (choose) => {
      for (const change of directoryChanges)
        if (choose({ kind: change.kind, path: change.path }) === false) change.entries.forEach(makeDurable);
      directoryChanges = [];
      loseData(choose);
      restoreTree(tree.root);
    },
    list: () => [
      ...directoryChanges.map(({ kind, path }) => ({ kind, path })),
      ...[...dataChanges.values()].flat().map(({ kind, path }) => ({ kind, path })),
    ],
    preset: (path, inode) => {
      const entry = { ...tree.place(path, 'put'), inode };
      tree.set(entry.directory, entry.name, inode);
      makeDurable(entry);
    },
  };
};

/** Writes into the inode, growing its room by doubling: a journal is thousands of small appends. */
const put = (inode: Inode, offset: number, bytes: Uint8Array): void => {
  const end = offset + bytes.length;
  if (end > inode.data.length) {
    const room = inode.data.byteOffset === 0 ? inode.data.buffer.byteLength : 0;
    const grown =
      end <= room
        ? new Uint8Array(inode.data.buffer, 0, end)
        : new Uint8Array(new ArrayBuffer(Math.max(end, 2 * inode.data.length)), 0, end);
    if (end > room) grown.set(inode.data);
    else grown.fill(0, inode.data.length, end);
    inode.data = grown;
  }
  inode.data.set(bytes, offset);
  inode.size = Math.max(inode.size, end);
};
