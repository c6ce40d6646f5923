import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { nameOf, refuse, runGit, tryGit, type WorkTree, writeRefs } from '../context.ts';
import { linesOf } from '../git/git-text.ts';
import { gitFault } from '../git/repository.ts';
import { commitTree, recordTree } from '../git/snapshot.ts';
import { mergeTrees, takeSide } from '../git/three-way.ts';
import type { Merged, Resolution } from '../merged.ts';
import type { Attempt } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { mergeAttempt, readBranch } from './merge.ts';
import { worktreeOf } from './prepare.ts';

/**
 * A resolution is a commit on the attempt's branch that merges the session's branch into it. The merge that follows then finds nothing to
 * resolve, or only what the session's branch gained since.
 */
export const resolveConflict = async (
  session: OpenSession,
  attempt: Attempt,
  resolution: Resolution,
): Promise<Merged> => {
  const { context } = session;
  const names = context.names.of(attempt);
  const { refs, tip } = await readBranch(context);
  const commit = refs.get(names.commit);
  if (commit === undefined) throw refuse('no-conflict', `${nameOf(attempt)} has nothing to resolve`);
  if (resolution.take === 'nothing') {
    await writeRefs(context, { [names.commit]: null });
    return { kind: 'refused', reason: `Nothing of ${nameOf(attempt)} was merged, as you chose.` };
  }
  if (resolution.take === 'edited') {
    const onto = refs.get(names.onto);
    if (onto === undefined)
      throw refuse('no-conflict', `the conflict of ${nameOf(attempt)} was not opened for editing`);
    const tree = await editedTree(session, attempt, commit);
    await keep(
      session,
      attempt,
      await commitTree(context, tree, [commit, onto], subject(attempt), session.identity),
    );
    await runGit(context, 'end the merge', ['reset', '--quiet'], { in: worktreeOf(context, attempt) });
    return mergeAttempt(session, attempt);
  }
  const merge = await mergeTrees(context, tip, commit);
  if (!merge.clean) {
    const indexFile = join(context.place, 'tmp', `index-${context.unique()}`);
    context.files.makeDirectory(join(context.place, 'tmp'));
    const tree = await takeSide(context, merge, resolution.take, indexFile);
    context.files.unlink(indexFile);
    await keep(
      session,
      attempt,
      await commitTree(context, tree, [commit, tip], subject(attempt), session.identity),
    );
  }
  return mergeAttempt(session, attempt);
};

/** Merges the session's branch into the attempt's worktree, with conflict markers, as `git merge` leaves it for editing. */
export const openForEditing = async (session: OpenSession, attempt: Attempt): Promise<string> => {
  const { context } = session;
  const names = context.names.of(attempt);
  const tree = worktreeOf(context, attempt);
  const { refs, tip } = await readBranch(context);
  const directory = join(tree.root, context.repository.prefix);
  if (refs.get(names.onto) === tip && isMerging(session, tree)) return directory;
  if (!refs.has(names.commit)) throw refuse('no-conflict', `${nameOf(attempt)} has nothing to resolve`);
  const extra = { in: tree, config: await session.watch.programsOff(tree) };
  await runGit(context, 'return to its branch', ['symbolic-ref', 'HEAD', names.branch], extra);
  await runGit(context, 'look at its files', ['reset', '--quiet'], extra);
  const merge = ['merge', '--no-commit', '--no-ff', '--quiet', tip];
  const answer = await tryGit(context, merge, {
    ...extra,
    ...(session.identity ? { identity: session.identity } : {}),
  });
  if (answer.code !== 0 && !isMerging(session, tree))
    throw new FaultError(gitFault('write the conflict', answer));
  await writeRefs(context, { [names.onto]: tip });
  return directory;
};

const isMerging = ({ context }: OpenSession, tree: WorkTree): boolean =>
  context.files.kind(join(tree.gitDir, 'MERGE_HEAD')) === 'file';

const subject = (attempt: Attempt): string => `Resolve ${nameOf(attempt)} with what was merged before`;

const keep = async ({ context }: OpenSession, attempt: Attempt, commit: string): Promise<void> => {
  const names = context.names.of(attempt);
  await writeRefs(context, { [names.commit]: commit, [names.branch]: commit, [names.onto]: null });
};

/** The files of the worktree. Refused while conflict markers stand in one. */
const editedTree = async (session: OpenSession, attempt: Attempt, commit: string): Promise<string> => {
  const { context } = session;
  const { tree } = await recordTree(context, session.watch, worktreeOf(context, attempt));
  const check = await tryGit(context, ['diff-tree', '--check', '-r', commit, tree]);
  const marked = linesOf(check.out).flatMap((line) => {
    const match = /^(.*):(\d+): leftover conflict marker$/.exec(line);
    return match ? [`${match[1]}:${match[2]}`] : [];
  });
  if (marked.length > 0)
    throw refuse('markers-left', `conflict markers are left at ${marked.slice(0, 3).join(', ')}`, {
      hint: 'edit the file, then resolve again',
    });
  return tree;
};
