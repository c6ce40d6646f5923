import { mergeCommand, printedCommand } from '../../base/process/printed-command.ts';
import { askGit, type Context, readRefs, refuse, tryGit, worktreePath, writeRefs } from '../context.ts';
import { refuseForgedBranch } from '../git/forged.ts';
import { shortBranch } from '../git/ref-names.ts';
import { findRepository } from '../git/repository.ts';
import { commitTree } from '../git/snapshot.ts';
import { applyBetween, mergeTrees } from '../git/three-way.ts';
import { discardWorktree } from '../git/worktrees.ts';
import type { Attempt, Finish, Finished, Merge, Prepared } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { readBranch } from './branch.ts';
import { dirtyPaths, droppedSince, ignoredInTheWay, obstaclesOf } from './in-the-way.ts';
import { conflictedPaths, pathsBetween } from './merge.ts';
import { moveCheckout } from './move-checkout.ts';
import { prepareWorktree } from './prepare.ts';
import { pullRequestCommands } from './pull-request-commands.ts';

/** Brings the session's branch to the person, as they chose. */
export const finishSession = async (session: OpenSession, finish: Finish): Promise<Finished> => {
  const { context } = session;
  const branch = shortBranch(context.names.branch);
  if (finish.how !== 'keep') await refuseForgedBranch(context, session.base, (await readBranch(context)).tip);
  switch (finish.how) {
    case 'keep':
      return { how: 'kept', branch, ...(await obstaclesOf(session)) };
    case 'pull-request':
      return {
        how: 'pull-request',
        branch,
        ...(await pullRequestCommands(context, { ...finish, branch })),
      };
    case 'merge':
    case 'squash':
      return mergeIntoPersons(session, finish);
  }
};

/** Both branches of a merge, and which of them contains the other. */
interface Standing {
  readonly head: string;
  readonly tip: string;
  /** The person has what the session did. */
  readonly isMerged: boolean;
  /** The session has what the person has. */
  readonly isAhead: boolean;
  /** The tip of the session's branch whose changes the person has by a squash, which git knows nothing of; else `null`. */
  readonly squashed: string | null;
  /** Commits that were on the person's branch when the session began, and are not any more, newest first: `1a2b3c4 subject`. */
  readonly dropped: readonly string[];
}

const standingOf = async (session: OpenSession, into: string): Promise<Standing> => {
  const { context } = session;
  const changed = await session.watch.changed();
  if (changed !== null)
    throw refuse(
      'configuration-changed',
      `${changed.what} since the session began, and git would act on it`,
      {
        hint: 'review it, then try again',
        state: changed.state,
      },
    );
  const found = await findRepository(context.git, context.opening.workspace);
  const branch = found.kind === 'repository' ? found.repository.branch : null;
  const head = found.kind === 'repository' ? found.repository.head : null;
  if (branch !== into || head === null)
    throw refuse('other-branch', `${branch ?? 'no branch'} is checked out here, not ${into}`, {
      hint: `run \`${printedCommand('git', 'switch', into)}\`, then try again`,
    });
  const { tip, refs } = await readBranch(context);
  const squashed = await squashedIn(context, refs.get(context.names.squashed), head);
  return {
    head,
    tip,
    isMerged: squashed === tip || (await contains(context, tip, head)),
    isAhead: await contains(context, head, tip),
    squashed,
    dropped: await droppedSince(session, head),
  };
};

const contains = async (context: Context, one: string, other: string): Promise<boolean> =>
  (await tryGit(context, ['merge-base', '--is-ancestor', one, other])).code === 0;

const squashedIn = async (
  context: Context,
  known: string | undefined,
  head: string,
): Promise<string | null> => {
  if (known === undefined) return null;
  const parents = await askGit(context, 'read a squash', ['rev-parse', `${known}^@`]);
  const [squash = '', tip = ''] = parents.split('\n');
  // The person may have taken the squash away, or merged the session's own commits since.
  return (await contains(context, squash, head)) && !(await contains(context, tip, head)) ? tip : null;
};

/** See `propose` of the port. The commit is kept where the attempt begins. */
export const proposeMerge = async (
  session: OpenSession,
  attempt: Attempt,
  merge: Merge,
): Promise<(Prepared & { readonly commit: string }) | null> => {
  const { context } = session;
  const standing = await standingOf(session, merge.into);
  if (standing.isMerged) return null;
  refuseDropped(standing, merge);
  if (standing.isAhead) return null;
  const known = await proposalOf(session, attempt, standing);
  const commit = known ?? (await commitOnto(session, standing, { how: 'merge', ...merge }));
  if (known === null) {
    const { start, branch } = context.names.of(attempt);
    const isLeft = (await readRefs(context, attempt)).has(branch);
    await discardWorktree(context, worktreePath(context, attempt));
    await writeRefs(context, { [start]: commit, ...(isLeft ? { [branch]: null } : {}) });
  }
  return { ...(await prepareWorktree(context, attempt, { from: 'session' })), commit };
};

/** The commit that was made for an attempt, unless a branch has moved since. */
const proposalOf = async (
  { context }: OpenSession,
  attempt: Attempt,
  { head, tip }: Standing,
): Promise<string | null> => {
  const commit = (await readRefs(context, attempt)).get(context.names.of(attempt).start);
  if (commit === undefined) return null;
  const parents = await askGit(context, 'read a merge', ['rev-parse', `${commit}^@`]);
  return parents === `${head}\n${tip}` ? commit : null;
};

const proposedFor = async (session: OpenSession, attempt: Attempt, standing: Standing): Promise<string> => {
  const commit = await proposalOf(session, attempt, standing);
  if (commit !== null) return commit;
  throw refuse('moved-on', 'a branch has moved since its merge was verified', { hint: 'try again' });
};

/** The commit is made in the object store. Then one `git merge --ff-only` moves the branch, index and files of the person. */
const mergeIntoPersons = async (session: OpenSession, finish: Wish): Promise<Finished> => {
  const { context } = session;
  const standing = await standingOf(session, finish.into);
  const { head, tip, isAhead } = standing;
  const branch = finish.into;
  if (standing.isMerged) return { how: 'merged', branch, commit: head, files: [] };
  if (finish.how === 'merge') refuseDropped(standing, finish);
  // Before a conflict names a command: that of git would overwrite them.
  const ignored = await ignoredInTheWay(session, head, tip);
  if (ignored.length > 0)
    throw refuse(
      'ignored',
      `${ignored.slice(0, 3).join(', ')} in your workspace ${ignored.length === 1 ? 'is' : 'are'} ignored by git and would be overwritten`,
      { hint: `move ${ignored.length === 1 ? 'it' : 'them'} away, then try again` },
    );
  const commit =
    isAhead && finish.how === 'merge'
      ? tip
      : finish.proposed !== undefined
        ? await proposedFor(session, finish.proposed, standing)
        : await commitOnto(session, standing, finish);
  const files = await pathsBetween(context, head, commit);
  // Also after a crash between a squash and its record.
  if (files.length === 0) return { how: 'merged', branch, commit: head, files };
  // git looks itself, but moves ORIG_HEAD before it refuses.
  const inTheWay = (await dirtyPaths(session)).filter((path) => files.includes(path));
  if (inTheWay.length > 0)
    throw refuse('dirty', `${inTheWay.slice(0, 3).join(', ')} in your workspace would be overwritten`, {
      hint: 'commit or stash your changes, then try again',
    });
  if (finish.isWanted !== undefined && !(await finish.isWanted()))
    throw refuse('called-off', 'the merge was called off before it moved anything');
  if (finish.how === 'squash')
    await writeRefs(context, {
      [context.names.squashed]: await commitTree(context, `${tip}^{tree}`, [commit, tip], 'squashed'),
    });
  await moveCheckout(context, { branch, from: head, to: commit });
  return { how: 'merged', branch, commit, files };
};

const refuseDropped = ({ dropped }: Standing, { into, bringBack }: Merge): void => {
  if (bringBack || dropped.length === 0) return;
  const [one = '', ...others] = dropped;
  throw refuse(
    'brings-back',
    `${into} no longer has ${one}${others.length === 0 ? '' : ` and ${others.length} more`}, which it had when the session began, and a merge would bring ${others.length === 0 ? 'it' : 'them'} back`,
    { hint: 'a squash brings only the work of the session', state: dropped.join('\n') },
  );
};

type Wish = Finish & { readonly how: 'merge' | 'squash' };

/** One commit on the person's head with what the session changed: a merge, or without the session's own commits below it. */
const commitOnto = async (
  { context, identity, base }: OpenSession,
  { head, tip, isAhead, squashed, dropped }: Standing,
  { how, into, message }: Wish,
): Promise<string> => {
  const parents = how === 'squash' ? [head] : [head, tip];
  const from = how === 'squash' && dropped.length > 0 ? (squashed ?? base) : squashed;
  if (isAhead && from === null) return commitTree(context, `${tip}^{tree}`, parents, message, identity);
  const result = await (from === null
    ? mergeTrees(context, head, tip)
    : applyBetween(context, from, tip, head));
  if (!result.clean) {
    const paths = conflictedPaths(context, result);
    const branch = shortBranch(context.names.branch);
    // A merge by git would bring back what the person has taken off their branch.
    const byHand =
      dropped.length > 0
        ? `${printedCommand('git', '-C', context.repository.root, 'diff', '--binary', from ?? base, branch)} | ${printedCommand('git', '-C', context.repository.root, 'apply', '--3way')}`
        : mergeCommand(branch);
    throw refuse(
      'conflict',
      `${into} and the session changed the same lines in ${paths.slice(0, 3).join(', ')}`,
      {
        hint: `\`${byHand}\` lets you resolve the conflict`,
      },
    );
  }
  return commitTree(context, result.tree, parents, message, identity);
};
