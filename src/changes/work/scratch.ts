import { join } from 'node:path';
import { asResult, type ChangesPorts, type Context, refuse } from '../context.ts';
import { createReadingContext } from '../create-context.ts';
import { copyIgnored } from '../files/copy-ignored.ts';
import { workspaceIn } from '../files/workspace-path.ts';
import { sessionDirectory } from '../git/ref-names.ts';
import { addWorktree, discardWorktree } from '../git/worktrees.ts';
import type { Scratch } from '../port.ts';

/**
 * Makes a worktree of the commit that is checked out, without a branch or any other ref. It is where the worktrees of sessions are, so `findOrphans`
 * finds one that a crash left.
 */
export const makeScratch = async (
  ports: ChangesPorts,
  workspace: string,
  copy: readonly string[],
): Promise<Scratch> => {
  const read = await createReadingContext(ports, workspace, `verify-${ports.unique()}`);
  const context = { ...read, opening: { ...read.opening, copy } };
  const { head, prefix } = context.repository;
  if (head === null) throw refuse('no-commit', 'the repository has no commits yet');
  const path = join(context.place, sessionDirectory);
  context.files.makeDirectory(context.place);
  try {
    await addWorktree(context, 'make a worktree', path, ['--detach', path, head]);
    const directory = workspaceIn(path, prefix);
    context.files.makeDirectory(directory);
    const problems = await copyIgnored(context, directory);
    return { directory, problems, remove: () => asResult(() => removeScratch(context, path)) };
  } catch (error) {
    await removeScratch(context, path);
    throw error;
  }
};

const removeScratch = async (context: Context, path: string): Promise<null> => {
  await discardWorktree(context, path);
  context.files.removeEmpty(context.place);
  return null;
};
