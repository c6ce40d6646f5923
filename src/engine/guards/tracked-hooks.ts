import { basename, dirname } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { type ControlFiles, readFilesBelow } from './control-files.ts';
import { commonDirectory, repositoryOf } from './repository-of.ts';

/** The files of the directory from which git runs hooks, unless it is below `.git`, whose files are restored. `directory`: as git says. */
export const readTrackedHooks = (disk: Disk, workspace: string, directory: string | null): ControlFiles => {
  const repository = repositoryOf(disk, workspace);
  if (repository === null || directory === null) return new Map();
  if (directory.startsWith(`${commonDirectory(disk, repository.git)}/`)) return new Map();
  // husky names `.husky/_`, whose generated files run those beside it.
  const place = basename(directory) === '_' ? dirname(directory) : directory;
  return readFilesBelow(disk, repository.root, [place]);
};
