import { basename, dirname, join, resolve } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { readText } from '../../base/replace-file.ts';
import { type ControlFiles, readFilesBelow } from './control-files.ts';
import { commonDirectory, repositoryOf } from './repository-of.ts';

/** The files of the directory that `core.hooksPath` names, when it is in the work tree. */
export const readTrackedHooks = (disk: Disk, workspace: string): ControlFiles => {
  const repository = repositoryOf(disk, workspace);
  if (repository === null) return new Map();
  const { root, git } = repository;
  const named = ['config', 'config.worktree'].flatMap((name) =>
    hooksPathsIn(disk, join(commonDirectory(disk, git), name)),
  );
  const inside = named
    .map((path) => resolve(root, path))
    // husky names `.husky/_`, whose generated files run those beside it.
    .map((path) => (basename(path) === '_' ? dirname(path) : path))
    .filter((path) => path.startsWith(`${root}/`) && !path.startsWith(`${git}/`));
  return readFilesBelow(disk, root, inside);
};

const hooksPathsIn = (disk: Disk, file: string): readonly string[] => {
  const text = disk.lstat(file) === null ? '' : (readText(disk, file, 1_048_576) ?? '');
  return [...text.matchAll(/^[ \t]*hookspath[ \t]*=[ \t]*"?([^"\n;#]+?)"?[ \t]*$/gimu)].flatMap(
    ([, path]) => path ?? [],
  );
};
