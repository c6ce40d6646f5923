import { join } from 'node:path';
import { type Disk, diskCode } from '../../base/disk.ts';
import { pathGlob } from '../../base/glob.ts';
import type { Matcher } from '../../base/match/linear-match.ts';
import { namesIn } from '../../base/names-in.ts';
import { readText } from '../../base/replace-file.ts';
import type { Pause } from './pause.ts';

/** Directories that never hold a project's own files. */
const never = new Set(['.git', 'node_modules', '.ralph', '.ralph-sessions']);

/** A tree with more files is no project. */
const mostFiles = 100_000;

/**
 * Sorted relative paths of the files below a directory outside a repository. Respects `.gitignore` files and follows no links. `whole` is false if
 * the walk stopped at its limit.
 */
export const walk = async (
  disk: Disk,
  root: string,
  pause: Pause,
): Promise<{ readonly paths: readonly string[]; readonly whole: boolean }> => {
  const paths: string[] = [];
  const open: Folder[] = [{ path: '', ignores: [] }];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    await pause();
    const { path } = folder;
    const ignores = [...folder.ignores, ...ignoresOf(disk, root, path)];
    for (const name of namesIn(disk, join(root, path))) {
      await pause();
      const inner = path === '' ? name : `${path}/${name}`;
      if (never.has(name)) continue;
      const kind = disk.lstat(join(root, inner))?.kind;
      if (isIgnored(ignores, inner, kind === 'directory')) continue;
      if (kind === 'directory') open.push({ path: inner, ignores });
      else if (kind === 'file') paths.push(inner);
      if (paths.length >= mostFiles) return { paths: paths.sort(), whole: false };
    }
  }
  return { paths: paths.sort(), whole: true };
};

interface Folder {
  readonly path: string;
  readonly ignores: readonly Ignore[];
}

/** Lines of one `.gitignore` that count. */
const mostPatterns = 2_000;

/** One line of a `.gitignore`. */
interface Ignore {
  /** The directory of the `.gitignore`, '' or `packages/app`. */
  readonly base: string;
  readonly glob: Matcher;
  readonly again: boolean;
  readonly onlyDirectories: boolean;
}

const ignoresOf = (disk: Disk, root: string, base: string): readonly Ignore[] => {
  const text = textOrNull(disk, join(root, base, '.gitignore'));
  if (text === null) return [];
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, mostPatterns)
    .map((line) => {
      const again = line.startsWith('!');
      const pattern = again ? line.slice(1) : line;
      return { base, glob: pathGlob(pattern), again, onlyDirectories: pattern.endsWith('/') };
    });
};

/** The last matching line decides. */
const isIgnored = (ignores: readonly Ignore[], path: string, directory: boolean): boolean => {
  const last = ignores.findLast(
    ({ base, glob, onlyDirectories }) =>
      (directory || !onlyDirectories) && glob.test(base === '' ? path : path.slice(base.length + 1)),
  );
  return last !== undefined && !last.again;
};

const textOrNull = (disk: Disk, path: string): string | null => {
  try {
    return readText(disk, path, 1_048_576);
  } catch (error) {
    if (diskCode(error) !== '') return null;
    throw error;
  }
};
