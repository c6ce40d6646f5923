import { resolve, sep } from 'node:path';
import { type Disk, diskCode, type FileStat } from '../../../base/disk.ts';
import { namesIn } from '../../../base/names-in.ts';
import { fixedPart, isDeclared, isPattern, mayHold, plainPath } from '../../../tasks/task-files.ts';

/** A mark for each declared file. It changes when the file is written, replaced, created or removed. Keys are workspace-relative. */
export type FileMarks = Readonly<Record<string, string>>;

/** Marks what is declared: files, what directories hold, what patterns match. At most 2,000 of them, without following links. */
export const markFiles = (disk: Disk, workspace: string, files: readonly string[]): FileMarks => {
  const marks: Record<string, string> = {};
  let count = 0;
  for (const entry of files.filter((file) => isInside(workspace, file))) {
    let found = false;
    for (const [file, stat] of declaredFiles(disk, workspace, entry)) {
      count += 1;
      if (count > mostMarks) return marks;
      marks[file] = `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}`;
      found = true;
    }
    if (!found && !isPattern(entry) && statOf(disk, resolve(workspace, entry)) === null)
      marks[plainPath(entry)] = 'absent';
  }
  return marks;
};

const mostMarks = 2_000;

/** The files that differ, sorted. */
export const changedFiles = (before: FileMarks, after: FileMarks): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((file) => (before[file] ?? 'absent') !== (after[file] ?? 'absent'))
    .sort();

/** Declared entries of which nothing exists: no file of this name, and none that the pattern matches. */
export const missingFiles = (disk: Disk, workspace: string, files: readonly string[]): readonly string[] =>
  files.filter(
    (entry) =>
      !isInside(workspace, entry) ||
      (statOf(disk, resolve(workspace, entry)) === null &&
        (!isPattern(entry) || declaredFiles(disk, workspace, entry).next().done === true)),
  );

/**
 * The files and links that an entry means, sorted within a directory. A pattern is looked for below its fixed part, in 20,000 entries at most, and
 * not in what git or a package manager keeps.
 */
function* declaredFiles(
  disk: Disk,
  workspace: string,
  entry: string,
): Generator<readonly [string, FileStat]> {
  const [own, below] = [plainPath(entry), fixedPart(entry)];
  const isOther = isPattern(entry) && statOf(disk, resolve(workspace, own)) === null;
  const left = [isOther ? below : own];
  for (let seen = 0; left.length > 0 && seen < mostSeen; seen += 1) {
    const path = left.pop() ?? '';
    const stat = statOf(disk, resolve(workspace, path));
    if (stat === null) continue;
    if (stat.kind === 'directory') {
      const names = namesIn(disk, resolve(workspace, path)).filter((name) => !isOther || !kept.has(name));
      const inside = names.map((name) => (path === '' ? name : `${path}/${name}`));
      left.push(...inside.filter((each) => !isOther || mayHold(entry, each)).toReversed());
    } else if (!isOther || isDeclared({ files: [entry] }, path)) yield [path, stat];
  }
}

const mostSeen = 20_000;

const kept: ReadonlySet<string> = new Set(['.git', 'node_modules', '.ralph-sessions']);

/** Whether a workspace-relative path stays inside, by its text. Commands may follow links; we do not. */
export const isInside = (workspace: string, file: string): boolean => {
  if (file.includes('\0')) return false;
  const path = resolve(workspace, file);
  return path === workspace || path.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep);
};

const statOf = (disk: Disk, path: string) => {
  try {
    return disk.lstat(path);
  } catch (error) {
    if (['ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'ENOENT'].includes(diskCode(error))) return null;
    throw error;
  }
};
