import { join } from 'node:path';
import { readRefs, worktreePath, writeRefs } from '../context.ts';
import { sessionDirectory } from '../git/ref-names.ts';
import { discardWorktree, worktreeAt } from '../git/worktrees.ts';
import type { Attempt } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { takeSnapshot } from './commit.ts';
import { isClean } from './prepare.ts';

/** Removes the worktree and the branch of an attempt. Work in it that no commit holds becomes its `after` snapshot first. */
export const cleanAttempt = async (session: OpenSession, attempt: Attempt): Promise<null> => {
  const { context } = session;
  if (session.own === null) return null;
  const path = worktreePath(context, attempt);
  const names = context.names.of(attempt);
  const refs = await readRefs(context, attempt);
  const tree = worktreeAt(context, path);
  if (tree !== null && refs.has(names.start) && !(refs.has(names.commit) && refs.has(names.after)))
    if (!(await isClean(context, tree)) || refs.get(names.branch) !== refs.get(names.start))
      await takeSnapshot(session, attempt, 'after');
  await discardWorktree(context, path);
  if (refs.has(names.branch)) await writeRefs(context, { [names.branch]: null });
  return null;
};

/** Removes the session's own worktree and its directory, when nothing else is in it. */
export const closeSession = async ({ context, own }: OpenSession): Promise<null> => {
  if (own !== null) await discardWorktree(context, join(context.place, sessionDirectory));
  await context.files.removeTree(join(context.place, 'tmp'));
  context.files.removeEmpty(context.place);
  return null;
};
