import { join } from 'node:path';
import type { Context, WorkTree } from '../context.ts';
import type { KeptIndex } from '../memory.ts';

/**
 * The index of the last recording, so that git reads only files that changed since. When the work tree's own index is another one, a copy of that: a
 * person or an agent may have added ignored files to it, or taken out known ones.
 */
export const openIndex = (context: Context, tree: WorkTree, kept: KeptIndex | null): KeptIndex => {
  const { files } = context;
  const own = join(tree.gitDir, 'index');
  const origin = files.stamp(own);
  if (kept?.origin === origin && files.kind(kept.file) === 'file') return kept;
  if (kept !== null) removeIndex(context, kept);
  const directory = join(context.place, 'tmp');
  const fresh = { file: join(directory, `index-${context.unique()}`), origin, tree: null };
  files.makeDirectory(directory);
  if (files.kind(own) === 'file') files.copy(own, fresh.file);
  return fresh;
};

/** Removes it: the work tree is gone, or a call failed on it. */
export const removeIndex = ({ files }: Context, { file }: KeptIndex): void => {
  files.unlink(file);
  files.unlink(`${file}.lock`);
};

/** Milliseconds: more than the step of the clocks that times of files are taken from. */
const clockStep = 20;

/**
 * Makes the index as old as the moment in which the recording began. git takes a file for unchanged that is older than the index and has its known
 * time and size: one that changed again while git wrote the index would pass for ever.
 */
export const ageIndex = ({ files }: Context, { file }: KeptIndex, began: number): void =>
  files.setTime(file, began - clockStep);
