import { join } from 'node:path';
import { type Disk, diskCode } from '../../base/disk.ts';
import { sha256 } from '../../base/hash.io.ts';
import { namesIn } from '../../base/names-in.ts';
import { readBytes } from '../../base/replace-file.ts';

/** A summary of the workspace's files. Equal contents give an equal fingerprint, whatever their dates. */
export interface WorkspaceMarks {
  readonly fingerprint: string;
  /** Number of files that differ from the last look; `null` at the first. */
  readonly changed: number | null;
}

/** Directories that are never part of the work: files of this program or of git, and installed packages. */
const skipped: ReadonlySet<string> = new Set(['.git', '.ralph', '.ralph-sessions', 'node_modules']);

const mostFiles = 50_000;
/** Larger files are compared by size and date. */
const largestRead = 1_048_576;

/**
 * Looks at a workspace repeatedly. `list` gives the files that count, relative to the workspace;
 * for `null` the tree is walked. A file is read again only when its size or dates have changed.
 */
export const createWorkspaceMarks = (
  disk: Disk,
  workspace: string,
  list: () => Promise<readonly string[] | null>,
): (() => Promise<WorkspaceMarks>) => {
  let known = new Map<string, { readonly stamp: string; readonly hash: string }>();
  let isFirst = true;
  return async () => {
    const files = (await list()) ?? walk(disk, workspace);
    const before = known;
    known = new Map();
    for (const file of files.filter(counts).toSorted().slice(0, mostFiles)) {
      const mark = markOf(disk, join(workspace, file), before.get(file));
      if (mark) known.set(file, mark);
    }
    const changed = isFirst ? null : differing(before, known);
    isFirst = false;
    return {
      fingerprint: sha256(JSON.stringify([...known].map(([file, { hash }]) => [file, hash]))),
      changed,
    };
  };
};

const counts = (file: string): boolean => !file.split('/').some((part) => skipped.has(part));

/** The state of a file. Equal contents have an equal hash; `stamp` tells whether it must be read again. */
export interface FileMark {
  readonly stamp: string;
  readonly hash: string;
}

const differing = (before: ReadonlyMap<string, FileMark>, after: ReadonlyMap<string, FileMark>): number =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file)?.hash !== after.get(file)?.hash,
  ).length;

/** The mark of a file; `before` is its last one. `null` for a directory, and for what is gone or cannot be read. */
export const markOf = (disk: Disk, path: string, before: FileMark | undefined): FileMark | null => {
  try {
    const stat = disk.lstat(path);
    if (stat === null || stat.kind === 'directory') return null;
    const stamp = `${stat.kind}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
    if (before?.stamp === stamp) return before;
    const bytes =
      stat.kind === 'file' && stat.size <= largestRead ? readBytes(disk, path, largestRead) : null;
    return { stamp, hash: bytes === null ? stamp : sha256(bytes) };
  } catch (error) {
    // An unreadable file, or one that has just gone, is not a change of the work.
    if (diskCode(error) !== '') return null;
    throw error;
  }
};

/** The files of a workspace that may be work, relative to it: at most 50,000. */
export const walk = (disk: Disk, workspace: string): readonly string[] => {
  const files: string[] = [];
  const left = [''];
  for (
    let directory = left.pop();
    directory !== undefined && files.length < mostFiles;
    directory = left.pop()
  )
    for (const name of namesIn(disk, join(workspace, directory))) {
      if (skipped.has(name)) continue;
      const file = directory === '' ? name : `${directory}/${name}`;
      if (disk.lstat(join(workspace, file))?.kind === 'directory') left.push(file);
      else files.push(file);
    }
  return files;
};
