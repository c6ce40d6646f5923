import { FaultError } from '../../base/fault.ts';
import { refuse, tryGit } from '../context.ts';
import { linesOf } from '../git/git-text.ts';
import { shortBranch } from '../git/ref-names.ts';
import { findRepository, gitFault } from '../git/repository.ts';
import { commitTree } from '../git/snapshot.ts';
import { mergeTrees } from '../git/three-way.ts';
import type { Finish, Finished } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { conflictedPaths, pathsBetween, readBranch } from './merge.ts';

/** Brings the session's branch to the person, as they chose. */
export const finishSession = async (session: OpenSession, finish: Finish): Promise<Finished> => {
  const { context } = session;
  const branch = shortBranch(context.names.branch);
  switch (finish.how) {
    case 'keep':
      return { how: 'kept', branch };
    case 'pull-request':
      return { how: 'pull-request', branch, commands: pullRequest(branch, finish.title) };
    case 'merge':
      return mergeIntoPersons(session, finish);
  }
};

const pullRequest = (branch: string, title: string): readonly (readonly string[])[] => [
  ['git', 'push', '--set-upstream', 'origin', branch],
  ['gh', 'pr', 'create', '--head', branch, '--title', title, '--fill-verbose'],
];

/**
 * The commit is made in the object store. Then one `git merge --ff-only` moves the branch, index and files of the person, and refuses before it
 * writes anything when a changed file is in the way.
 */
const mergeIntoPersons = async (
  session: OpenSession,
  finish: Finish & { readonly how: 'merge' },
): Promise<Finished> => {
  const { context } = session;
  const changed = await session.watch.changed();
  if (changed !== null)
    throw refuse('configuration-changed', `${changed} since the session began, and git would run it`, {
      hint: 'look at it, then accept the change',
    });
  const found = await findRepository(context.git, context.opening.workspace);
  const branch = found.kind === 'repository' ? found.repository.branch : null;
  const head = found.kind === 'repository' ? found.repository.head : null;
  if (branch !== finish.into || head === null)
    throw refuse('other-branch', `${finish.into} is not checked out here, but ${branch ?? 'no branch'}`, {
      hint: `git switch ${finish.into}, then ask again`,
    });
  const { tip } = await readBranch(context);
  const contains = async (one: string, other: string): Promise<boolean> =>
    (await tryGit(context, ['merge-base', '--is-ancestor', one, other])).code === 0;
  if (await contains(tip, head)) return { how: 'merged', branch, commit: head, files: [] };
  const commit = (await contains(head, tip)) ? tip : await mergeCommit(session, head, tip, finish);
  const answer = await tryGit(context, ['merge', '--ff-only', '--quiet', '--no-stat', commit]);
  if (answer.code !== 0) {
    const inTheWay = linesOf(new TextEncoder().encode(answer.error))
      .filter((line) => line.startsWith('\t'))
      .map((line) => line.trim());
    if (inTheWay.length === 0) throw new FaultError(gitFault(`merge into ${branch}`, answer));
    throw refuse('dirty', `${inTheWay.slice(0, 3).join(', ')} of your workspace would be overwritten`, {
      hint: 'commit or stash your changes, then ask again',
    });
  }
  return { how: 'merged', branch, commit, files: await pathsBetween(context, head, commit) };
};

const mergeCommit = async (
  { context, identity }: OpenSession,
  head: string,
  tip: string,
  { into, message }: Finish & { readonly how: 'merge' },
): Promise<string> => {
  const result = await mergeTrees(context, head, tip);
  if (!result.clean) {
    const paths = conflictedPaths(context, result);
    throw refuse(
      'conflict',
      `${into} and the session changed the same places in ${paths.slice(0, 3).join(', ')}`,
      {
        hint: `git merge ${shortBranch(context.names.branch)} lets you resolve it`,
      },
    );
  }
  return commitTree(context, result.tree, [head, tip], message, identity);
};
