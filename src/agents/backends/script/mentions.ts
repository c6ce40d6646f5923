import { join } from 'node:path';
import { type Disk, diskCode } from '../../../base/disk.ts';
import { namesIn } from '../../../base/names-in.ts';
import { readText } from '../../../base/replace-file.ts';

/** Places that mention a file's name, as `path:line`: at most three, in the first 400 small text files. */
export const mentions = (disk: Disk, workspace: string, name: string): readonly string[] => {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const places: string[] = [];
  for (const path of smallFiles(disk, workspace)) {
    if (path === name) continue;
    const text = textOf(disk, join(workspace, path));
    const at = text.indexOf(base);
    if (at < 0) continue;
    places.push(`${path}:${text.slice(0, at).split('\n').length}`);
    if (places.length === 3) break;
  }
  return places;
};

const ignored: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '.ralph-sessions',
  'target',
  'dist',
  '.venv',
]);

/** Breadth first, so that files near the root come first. Does not follow links. */
const smallFiles = (disk: Disk, workspace: string): readonly string[] => {
  const files: string[] = [];
  const directories = [''];
  for (let directory = directories.shift(); directory !== undefined; directory = directories.shift()) {
    for (const name of namesIn(disk, join(workspace, directory))) {
      const path = directory === '' ? name : `${directory}/${name}`;
      const stat = ignored.has(name) ? null : disk.lstat(join(workspace, path));
      if (stat?.kind === 'directory') directories.push(path);
      if (stat?.kind === 'file' && stat.size <= 65_536) files.push(path);
      if (files.length === 400) return files;
    }
  }
  return files;
};

const textOf = (disk: Disk, path: string): string => {
  try {
    return readText(disk, path) ?? '';
  } catch (error) {
    if (diskCode(error) !== '') return '';
    throw error;
  }
};
