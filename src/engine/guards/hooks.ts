import { basename, dirname } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import type { EngineOptions } from '../engine.ts';
import { type ControlFiles, readFilesBelow } from './control-files.ts';
import { repositoryOf } from './repository-of.ts';

/** The hooks that git would run in a workspace, what lies beside them, and the included settings. `places`: where git says that they are. */
export const readHooks = (disk: Disk, workspace: string, places: readonly string[]): ControlFiles => {
  const repository = repositoryOf(disk, workspace);
  if (repository === null) return new Map();
  // husky names `.husky/_`, whose generated files run those beside it.
  const all = places.map((place) => (basename(place) === '_' ? dirname(place) : place));
  const files = readFilesBelow(disk, repository.root, all);
  // git runs no sample of a hook; a file of settings may have any name.
  return new Map([...files].filter(([path]) => !path.endsWith('.sample') || all.includes(path)));
};

/** The same for the workspace of a session. */
export const hooksNow = ({
  disk,
  paths,
  ranByGit,
}: Pick<EngineOptions, 'disk' | 'paths' | 'ranByGit'>): ControlFiles =>
  readHooks(disk, paths.workspace, ranByGit?.() ?? []);
