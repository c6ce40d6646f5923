import {
  askGit,
  type Context,
  nameOf,
  readRefs,
  refuse,
  runGit,
  type WorkTree,
  worktreePath,
  writeRefs,
} from '../context.ts';
import { copyIgnored } from '../files/copy-ignored.ts';
import { takeSlot } from '../files/slots.ts';
import { workspaceIn } from '../files/workspace-path.ts';
import { shortBranch } from '../git/ref-names.ts';
import { commitTree, knowCheckout } from '../git/snapshot.ts';
import { addWorktree, discardWorktree, worktreeAt } from '../git/worktrees.ts';
import type { Attempt, Prepared, Start } from '../port.ts';
import { isOf, readBranch } from './branch.ts';

/**
 * Makes the worktree of an attempt. The ref `start` is written last: a worktree without it was never handed out, holds no work, and is made
 * again.
 */
export const prepareWorktree = async (
  context: Context,
  attempt: Attempt,
  start: Start,
): Promise<Prepared> => {
  const refs = context.names.of(attempt);
  const path = worktreePath(context, attempt);
  const known = await readRefs(context, start.from === 'session' ? attempt : null);
  const directory = workspaceIn(path, context.repository.prefix);
  const branch = shortBranch(refs.branch);
  if (known.has(refs.start) && worktreeAt(context, path) !== null)
    return { directory, branch, slot: takeSlot(context, path), existed: true, problems: [] };
  await discardWorktree(context, path);
  const from = known.get(refs.start) ?? (await startOf(context, known, attempt, start));
  // After a restart, the branch may hold what the attempt committed: it is kept.
  const add = known.has(refs.start) && known.has(refs.branch) ? [path, branch] : ['-B', branch, path, from];
  const made = await addWorktree(context, `make a worktree for ${nameOf(attempt)}`, path, add);
  if (add.includes(from)) await knowCheckout(context, made, from);
  const after = known.get(refs.after);
  // Somebody removed the worktree after the work and before its commit.
  if (after !== undefined && !known.has(refs.commit))
    await runGit(context, 'bring back its files', ['read-tree', '--reset', '-u', after], { in: made });
  context.files.makeDirectory(directory);
  const problems = await copyIgnored(context, directory);
  await writeRefs(context, { [refs.start]: from });
  return { directory, branch, slot: takeSlot(context, path), existed: false, problems };
};

/** The work tree of a prepared attempt; a fault when it has none. */
export const worktreeOf = (context: Context, attempt: Attempt): WorkTree => {
  const tree = worktreeAt(context, worktreePath(context, attempt));
  if (tree === null) throw refuse('no-worktree', `${nameOf(attempt)} has no worktree`);
  return tree;
};

const startOf = async (
  context: Context,
  known: ReadonlyMap<string, string>,
  attempt: Attempt,
  start: Start,
): Promise<string> => {
  if (start.from === 'session') {
    const tip = known.get(context.names.branch);
    if (tip === undefined)
      throw refuse('no-branch', `the branch ${shortBranch(context.names.branch)} no longer exists`);
    return tip;
  }
  const earlier = { task: attempt.task, attempt: start.attempt };
  const { tip, steps } = await readBranch(context);
  // Its commit is below the tip, so a merge would bring nothing of it back.
  if (steps.findLast((step) => isOf(step, earlier))?.what === 'undone') return tip;
  const refs = context.names.of(earlier);
  const committed = known.get(refs.commit);
  if (committed !== undefined) return committed;
  const ended = known.get(refs.after);
  const began = known.get(refs.start);
  if (ended === undefined || began === undefined)
    throw refuse('no-snapshot', `${nameOf(earlier)} has no snapshot to continue from`);
  const tree = await askGit(context, 'read a snapshot', ['rev-parse', `${ended}^{tree}`]);
  return commitTree(context, tree, [began], `${attempt.task}: as attempt ${start.attempt} left it`);
};
