import { isAbsolute, join, relative } from 'node:path';
import type { Disk } from '../disk.ts';

/**
 * Whether a file that may be run is there; a symbolic link is believed. A folder on the PATH that this account may not read holds no program
 * that it may run.
 */
export const isProgramThere =
  (disk: Pick<Disk, 'lstat'>) =>
  (file: string): boolean => {
    try {
      const stat = disk.lstat(file);
      return stat?.kind === 'symlink' || (stat?.kind === 'file' && (stat.mode & 0o111) !== 0);
    } catch {
      return false;
    }
  };

/**
 * Path of a program that we start ourselves: a name without a slash is searched on the PATH outside the workspace, any other is relative to the
 * workspace. `null` when missing.
 */
export const findProgram = (
  program: string,
  workspace: string,
  { PATH, HOME }: Readonly<Record<string, string | undefined>>,
  isThere: (file: string) => boolean,
): string | null => findTyped(program, workspace, outsidePath(PATH ?? '', [workspace], HOME), isThere);

/** As `findProgram`, for a program of a command that a shell will start in the workspace: on the whole PATH. */
export const findTyped = (
  program: string,
  workspace: string,
  path: string | undefined,
  isThere: (file: string) => boolean,
): string | null => {
  const places = program.includes('/')
    ? [program.startsWith('/') ? program : join(workspace, program)]
    : (path ?? '').split(':').map((folder) => join(isAbsolute(folder) ? '' : workspace, folder, program));
  return places.find(isThere) ?? null;
};

/** The PATH entries outside directories. */
export const outsidePath = (path: string, directories: readonly string[], home = '/'): string => {
  const isOutside = outside(directories, home);
  return path.split(':').filter(isOutside).join(':');
};

/**
 * Whether a PATH entry is outside directories. A relative one, which depends on the working directory, never is. A directory that holds the home directory
 * hides nothing: the person's own programs are in it.
 */
export const outside = (directories: readonly string[], home: string): ((entry: string) => boolean) => {
  const apart = directories.filter((directory) => !isWithin(directory, home));
  return (entry) => isAbsolute(entry) && !apart.some((directory) => isWithin(directory, entry));
};

/** Whether `path` is `directory` or is in it. Both are absolute. */
const isWithin = (directory: string, path: string): boolean => {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
};
