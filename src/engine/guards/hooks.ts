import { basename, dirname } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import type { EngineOptions } from '../engine.ts';
import { type ControlFiles, readFilesBelow } from './control-files.ts';
import { repositoryOf } from './repository-of.ts';

/** The hooks that git would run in a workspace, and what lies beside them. `directory`: where git says that they are. */
export const readHooks = (disk: Disk, workspace: string, directory: string | null): ControlFiles => {
  const repository = repositoryOf(disk, workspace);
  if (repository === null || directory === null) return new Map();
  // husky names `.husky/_`, whose generated files run those beside it.
  const place = basename(directory) === '_' ? dirname(directory) : directory;
  const all = readFilesBelow(disk, repository.root, [place]);
  return new Map([...all].filter(([path]) => !path.endsWith('.sample')));
};

/** The same for the workspace of a session. */
export const hooksNow = ({
  disk,
  paths,
  hooksDirectory,
}: Pick<EngineOptions, 'disk' | 'paths' | 'hooksDirectory'>): ControlFiles =>
  readHooks(disk, paths.workspace, hooksDirectory?.() ?? null);
