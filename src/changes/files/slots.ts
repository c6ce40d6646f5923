import { join } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import { type Context, repositoryPlace } from '../context.ts';

/**
 * Numbers of worktrees, so that ports and databases of those that exist at one time differ: the smallest one that no other worktree of the repository has, of
 * any session. Each is a file beside the repository's worktrees that holds the path of its worktree.
 */
export const takeSlot = (context: Context, worktree: string): number => {
  const { files } = context;
  const place = placeOf(context);
  const known = slotOf(context, worktree);
  if (known !== null) return known;
  files.makeDirectory(place);
  // A crash leaves it where the next opening of the session looks for such files.
  const scratch = join(context.place, 'tmp');
  files.makeDirectory(scratch);
  const mine = join(scratch, `slot-${context.unique()}`);
  files.writeScratch(mine, new TextEncoder().encode(worktree));
  try {
    for (let slot = 0; ; slot += 1) {
      const path = join(place, String(slot));
      // A worktree that was removed by hand left its number behind.
      if (files.kind(path) !== null && files.kind(files.read(path) ?? '') === null) files.unlink(path);
      if (files.kind(path) === null && created(context, mine, path)) return slot;
    }
  } finally {
    files.unlink(mine);
  }
};

/** The number of a worktree; `null` when it has none. */
export const slotOf = (context: Context, worktree: string): number | null => {
  const place = placeOf(context);
  const name = context.files
    .list(place)
    .find((each) => /^\d+$/.test(each) && context.files.read(join(place, each)) === worktree);
  return name === undefined ? null : Number(name);
};

/** Gives the number of a worktree back, and completes that after a crash in the middle. */
export const freeSlot = (context: Context, worktree: string): void => {
  const slot = slotOf(context, worktree);
  if (slot !== null) context.files.unlink(join(placeOf(context), String(slot)));
  context.files.removeEmpty(placeOf(context));
};

const placeOf = (context: Context): string => `${repositoryPlace(context, context.repository)}.slots`;

/** A copy never replaces: of two programs one gets the number. */
const created = ({ files }: Context, from: string, to: string): boolean => {
  try {
    files.copy(from, to);
    return true;
  } catch (error) {
    if (error instanceof DiskError && error.code === 'EEXIST') return false;
    throw error;
  }
};
