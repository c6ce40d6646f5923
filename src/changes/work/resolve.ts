import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { nameOf, refuse, runGit, tryGit, type WorkTree, writeRefs } from '../context.ts';
import { workspaceIn } from '../files/workspace-path.ts';
import { treesOf } from '../git/compare.ts';
import { gitFault } from '../git/repository.ts';
import { commitTree, recordTree } from '../git/snapshot.ts';
import { takeSide } from '../git/take-side.ts';
import { mergeTrees } from '../git/three-way.ts';
import type { Merged, Resolution } from '../merged.ts';
import type { Attempt, Train } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { readBranch } from './branch.ts';
import { editedTree } from './edited-tree.ts';
import { mergeAttempt } from './merge.ts';
import { worktreeOf } from './prepare.ts';

/**
 * A resolution is a commit on the attempt's branch that merges the session's branch into it. The merge that follows then finds nothing to
 * resolve, or only what the session's branch gained since.
 */
export const resolveConflict = async (
  session: OpenSession,
  attempt: Attempt,
  resolution: Resolution,
  train?: Train,
): Promise<Merged> => {
  const { context } = session;
  const names = context.names.of(attempt);
  const { refs, tip } = await readBranch(context, attempt);
  const commit = refs.get(names.commit);
  if (commit === undefined) throw refuse('no-conflict', `${nameOf(attempt)} has nothing to resolve`);
  if (resolution.take === 'edited') {
    const onto = refs.get(names.onto);
    // Not opened for editing, or resolved before a crash: the merge tells which.
    if (onto === undefined) return mergeAttempt(session, attempt, train);
    const tree = await editedTree(session, attempt, { commit, onto });
    await keep(
      session,
      attempt,
      await commitTree(context, tree, [commit, onto], subject(attempt), session.identity),
    );
    await runGit(context, 'end the merge', ['reset', '--quiet'], { in: worktreeOf(context, attempt) });
    return mergeAttempt(session, attempt, train);
  }
  const merge = await mergeTrees(context, tip, commit);
  if (!merge.clean) {
    const tree = await takeSide(context, merge, resolution.take);
    await keep(
      session,
      attempt,
      await commitTree(context, tree, [commit, tip], subject(attempt), session.identity),
    );
  }
  return mergeAttempt(session, attempt, train);
};

/** Merges the session's branch into the attempt's worktree, with conflict markers, as `git merge` leaves it for editing. */
export const openForEditing = async (session: OpenSession, attempt: Attempt): Promise<string> => {
  const { context } = session;
  const names = context.names.of(attempt);
  const tree = worktreeOf(context, attempt);
  const { refs, tip } = await readBranch(context, attempt);
  const directory = workspaceIn(tree.root, context.repository.prefix);
  // Edits under way stay, even when the session's branch moved on: the merge that follows sees to that.
  if (refs.has(names.onto) && isMerging(session, tree)) return directory;
  const commit = refs.get(names.commit);
  if (commit === undefined) throw refuse('no-conflict', `${nameOf(attempt)} has nothing to resolve`);
  const extra = { in: tree };
  await runGit(context, 'return to its branch', ['symbolic-ref', 'HEAD', names.branch], extra);
  await keepLeft(session, attempt, tree, commit);
  await runGit(context, 'put back its files', ['reset', '--hard', '--quiet', commit], extra);
  // Files of the setup are kept above. Here they would be in the way of the same files that were merged meanwhile.
  await runGit(context, 'put back its files', ['clean', '-fdq'], extra);
  await writeRefs(context, { [names.onto]: tip });
  // The name, which is the tip, is in the conflict markers.
  const merge = ['merge', '--no-commit', '--no-ff', '--quiet', context.names.branch];
  const identity = session.identity === null ? {} : { identity: session.identity };
  const answer = await tryGit(context, merge, { ...extra, ...identity });
  if (answer.code !== 0 && !isMerging(session, tree))
    throw new FaultError(gitFault('write the conflict', answer));
  return directory;
};

/** Files of the worktree that no commit holds, from a conflict that was opened before, go into a private ref. */
const keepLeft = async (
  session: OpenSession,
  attempt: Attempt,
  tree: WorkTree,
  commit: string,
): Promise<void> => {
  const { context } = session;
  const recorded = await recordTree(context, tree);
  if (recorded.tree === (await treesOf(context, [commit]))[0]) return;
  const left = await commitTree(context, recorded.tree, [commit], `${nameOf(attempt)}: left in its worktree`);
  await writeRefs(context, { [context.names.of(attempt).left]: left });
};

const isMerging = ({ context }: OpenSession, tree: WorkTree): boolean =>
  context.files.kind(join(tree.gitDir, 'MERGE_HEAD')) === 'file';

const subject = (attempt: Attempt): string => `Resolve ${nameOf(attempt)} with what was merged before`;

const keep = async ({ context }: OpenSession, attempt: Attempt, commit: string): Promise<void> => {
  const names = context.names.of(attempt);
  await writeRefs(context, { [names.commit]: commit, [names.branch]: commit, [names.onto]: null });
};
