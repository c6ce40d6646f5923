import { join } from 'node:path';
import {
  type Context,
  readRefs,
  refuse,
  runGit,
  type WorkTree,
  worktreePath,
  writeRefs,
} from '../context.ts';
import { freeSlot, slotOf } from '../files/slots.ts';
import { repositoryPath, workspaceIn, workspacePath } from '../files/workspace-path.ts';
import { treesOf } from '../git/compare.ts';
import { partsOf } from '../git/git-text.ts';
import { refuseLoss } from '../git/nested.ts';
import { sessionDirectory } from '../git/ref-names.ts';
import { recordTree } from '../git/snapshot.ts';
import { discardWorktree, worktreeAt } from '../git/worktrees.ts';
import { dropEmptyBranch } from '../own-refs.ts';
import type { Attempt, BeforeRemoval } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { discardCheckTree } from './check-tree.ts';
import { takeSnapshot } from './commit.ts';
import { leaveObjects } from './leave-objects.ts';

/** Removes the worktree and the branch of an attempt. Work in it that no commit holds becomes its `after` snapshot first. */
export const cleanAttempt = async (
  session: OpenSession,
  attempt: Attempt,
  before: BeforeRemoval = async () => {},
  results: readonly string[] = [],
): Promise<null> => {
  const { context } = session;
  if (session.own === null) return null;
  const path = worktreePath(context, attempt);
  const names = context.names.of(attempt);
  const refs = await readRefs(context, attempt);
  const tree = worktreeAt(context, path);
  const isUnsaved = !(refs.has(names.commit) && refs.has(names.after));
  if (tree !== null && refs.has(names.start) && (isUnsaved || refs.has(names.nested))) {
    // The commit, if there is one, is merged or was refused: only what it lacks counts.
    const present = await recordTree(context, tree, context.names.branch);
    refuseLoss(path, present);
    const [began] = await treesOf(context, [refs.get(names.start) ?? '']);
    const isUntouched = present.tree === began && refs.get(names.branch) === refs.get(names.start);
    if (isUnsaved && !isUntouched) await takeSnapshot(session, attempt, 'after');
  }
  const ignored = tree === null ? [] : await ignoredResults(context, tree, results);
  if (ignored.length > 0)
    throw refuse(
      'kept',
      `${path} is kept: it contains ${ignored.slice(0, 3).join(', ')}, which git ignores`,
      {
        hint: 'copy what you need out of the worktree, then remove it',
      },
    );
  if (tree !== null)
    await before({
      directory: workspaceIn(path, context.repository.prefix),
      slot: slotOf(context, path),
    });
  await discardWorktree(context, path);
  freeSlot(context, path);
  if (refs.has(names.branch)) await writeRefs(context, { [names.branch]: null });
  return null;
};

/** What is at or below these paths in the worktree alone: git ignores it, so no commit holds it, and the workspace has no equal file. */
const ignoredResults = async (
  context: Context,
  tree: WorkTree,
  results: readonly string[],
): Promise<readonly string[]> => {
  const { files, repository } = context;
  const there = results
    .map((path) => repositoryPath(repository.prefix, path))
    .filter((path) => files.kind(join(tree.root, path)) !== null);
  if (there.length === 0) return [];
  const list = [
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
    '--',
    ...there,
  ];
  const ignored = partsOf(await runGit(context, 'look for ignored files', list, { in: tree }));
  const isElsewhere = (path: string): boolean => {
    const text = files.read(join(tree.root, path));
    return text !== null && text === files.read(join(repository.root, path));
  };
  return ignored
    .filter((path) => !isElsewhere(path))
    .map((path) => workspacePath(repository.prefix, path.replace(/\/$/, '')));
};

/** Removes the session's own worktree, its check trees and its directory, when nothing else is in it. */
export const closeSession = async (session: OpenSession, before: BeforeRemoval): Promise<null> => {
  const { context, base, own, checks, shows } = session;
  await session.checkout.serially(async () => {});
  while (shows.size > 0) await Promise.allSettled(shows);
  for (const { path } of checks.splice(0)) await discardCheckTree(context, path, before);
  if (own !== null) await discardWorktree(context, join(context.place, sessionDirectory));
  while (session.beside.size > 0) await Promise.allSettled(session.beside);
  if (own !== null && context.opening.reads === true) await dropEmptyBranch(context, base);
  for (const git of Object.values(context.staying)) git.end();
  await leaveObjects(context);
  await context.files.removeTree(join(context.place, 'tmp'));
  context.files.removeEmpty(context.place);
  return null;
};
