import { resolve, sep } from 'node:path';
import { type Disk, diskCode } from '../../../base/disk.ts';
import { namesIn } from '../../../base/names-in.ts';

/** A mark for each declared file. It changes when the file is written, replaced, created or removed. Keys are workspace-relative. */
export type FileMarks = Readonly<Record<string, string>>;

/** Marks the declared files. A directory stands for its contents: at most 2,000 entries, without following links. */
export const markFiles = (disk: Disk, workspace: string, files: readonly string[]): FileMarks => {
  const marks: Record<string, string> = {};
  const left = files.filter((file) => isInside(workspace, file)).toReversed();
  for (let seen = 0; left.length > 0 && seen < 2_000; seen += 1) {
    const file = left.pop();
    if (file === undefined) break;
    const stat = statOf(disk, resolve(workspace, file));
    if (stat?.kind === 'directory') {
      left.push(
        ...namesIn(disk, resolve(workspace, file)).map((name) => `${file.replace(/\/+$/u, '')}/${name}`),
      );
    } else {
      marks[file] = stat ? `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.ino}` : 'absent';
    }
  }
  return marks;
};

/** The files that differ, sorted. */
export const changedFiles = (before: FileMarks, after: FileMarks): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((file) => (before[file] ?? 'absent') !== (after[file] ?? 'absent'))
    .sort();

/** Declared files that do not exist. */
export const missingFiles = (disk: Disk, workspace: string, files: readonly string[]): readonly string[] =>
  files.filter((file) => !isInside(workspace, file) || !statOf(disk, resolve(workspace, file)));

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
