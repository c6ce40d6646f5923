import { join } from 'node:path';
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
 * Path of a program: a name without a slash is searched on the PATH, any other is relative to the workspace.
 * `null` when missing.
 */
export const findProgram = (
  program: string,
  workspace: string,
  path: string | undefined,
  isThere: (file: string) => boolean,
): string | null => {
  const places = program.includes('/')
    ? [program.startsWith('/') ? program : join(workspace, program)]
    : (path ?? '').split(':').map((folder) => join(folder, program));
  return places.find(isThere) ?? null;
};
