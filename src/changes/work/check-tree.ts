import { basename, dirname, join } from 'node:path';
import { type Context, refuse, runGit, tryGit, type WorkTree, worktreePath } from '../context.ts';
import { copyIgnored } from '../files/copy-ignored.ts';
import { freeSlot, slotOf, takeSlot } from '../files/slots.ts';
import { workspaceIn, workspacePath } from '../files/workspace-path.ts';
import { refuseForgedFiles, refuseForgedTree } from '../git/forged.ts';
import { partsOf } from '../git/git-text.ts';
import { passOn } from '../git/own-objects.ts';
import { addWorktree, discardWorktree, removeLocks, worktreeAt } from '../git/worktrees.ts';
import type { CheckTree, MadeFiles } from '../memory.ts';
import type { Attempt, BeforeRemoval, Prepared, Shows } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { readBranch } from './branch.ts';
import { ownTree, pathsBetween } from './merge.ts';

/** The names of their directories; those in which nothing runs have the second one. No attempt has such a name: theirs end in a dash and a number. */
export const checkTreeName = /^(?:check|sent)\.\d+$/;

/**
 * Shows a commit, or the tip of the session's branch, in a free check tree, or in the one that shows the attempt already. Runs beside merges: to make a tree
 * again takes long where there are many files, and as long as `worktree.teardown` in the old one.
 */
export const showInCheckTree = async (
  session: OpenSession,
  attempt: Attempt,
  commit: string | null,
  { before = async () => {}, isSent = false }: Shows,
): Promise<Prepared> => {
  const { context, checks } = session;
  ownTree(session);
  const at = commit ?? (await readBranch(context, attempt)).tip;
  // The HEAD of a worktree is a ref too.
  passOn(context);
  const tree = takeCheckTree(session, context.names.directoryOf(attempt), isSent);
  const { path } = tree;
  try {
    await refuseForgedFiles(context, at);
    if (await isReset(context, tree, at)) return preparedIn(context, path, { existed: true, problems: [] });
    tree.made = null;
    await discardCheckTree(context, path, before);
    const add = addWorktree(context, 'make a worktree for checks', path, ['--detach', path, at]);
    const [work] = await bothOf(add, refuseForgedTree(context, at));
    tree.setUpAt = at;
    if (isSent) tree.made = new Map();
    keepIndex(context, work);
    const directory = workspaceIn(path, context.repository.prefix);
    context.files.makeDirectory(directory);
    const problems = isSent ? [] : await copyIgnored(context, directory);
    return preparedIn(context, path, { existed: isSent, problems });
  } catch (error) {
    checks.splice(checks.indexOf(tree), 1);
    throw error;
  }
};

/** Waits for both, also when one has failed: nothing of them works on. */
const bothOf = async <A, B>(one: Promise<A>, other: Promise<B>): Promise<readonly [A, B]> => {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
};

/** The check tree of this user, a free one, or the name of a new one. Nothing is awaited: no other user gets the same. */
const takeCheckTree = ({ context, checks }: OpenSession, user: string, isSent: boolean): CheckTree => {
  const fitting = checks.filter((each) => each.isSent === isSent);
  const known = fitting.find((each) => each.user === user) ?? fitting.find((each) => each.user === null);
  if (known !== undefined) {
    known.user = user;
    return known;
  }
  const path = join(context.place, firstFree(checks, isSent ? 'sent' : 'check'));
  const fresh: CheckTree = { path, user, isSent, setUpAt: '', made: null };
  checks.push(fresh);
  return fresh;
};

const preparedIn = (
  context: Context,
  path: string,
  rest: Pick<Prepared, 'existed' | 'problems'>,
): Prepared => ({
  directory: workspaceIn(path, context.repository.prefix),
  branch: null,
  slot: takeSlot(context, path),
  ...rest,
});

const firstFree = (checks: readonly CheckTree[], kind: 'check' | 'sent'): string => {
  for (let number = 0; ; number += 1)
    if (!checks.some(({ path }) => path.endsWith(`/${kind}.${number}`))) return `${kind}.${number}`;
};

/** The set-up of the attempt's check tree is complete: what is in it now belongs to it, and it may be used again. */
export const keepCheckTree = async (
  { context, checks }: OpenSession,
  attempt: Attempt,
  ran: boolean,
): Promise<null> => {
  const tree = checks.find(({ user }) => user === context.names.directoryOf(attempt));
  if (tree === undefined) throw refuse('no-worktree', 'the attempt has no worktree for checks');
  if (!ran && context.opening.copy.length === 0) tree.made = new Map();
  else {
    const work = workTreeOf(context, tree);
    const list = ['ls-files', '-z', '--others', '--directory'];
    const tops = partsOf(await runGit(context, 'list what was set up', list, { in: work }));
    tree.made = filesBelow(
      context,
      tree.path,
      tops.map((top) => top.replace(/\/$/, '')),
    );
  }
  return null;
};

/** What git ignores in the attempt's worktree, as paths of the workspace, and its check tree does not have: whole directories by their name, in others what lies directly below. */
export const missingInCheckTree = async (
  { context, checks }: OpenSession,
  attempt: Attempt,
): Promise<readonly string[]> => {
  const { files, repository, names } = context;
  const shown = checks.find(({ user }) => user === names.directoryOf(attempt));
  const own = worktreeAt(context, worktreePath(context, attempt));
  if (shown === undefined || own === null) return [];
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const ignored = partsOf(await runGit(context, 'look for ignored files', list, { in: own }));
  const isMissing = (path: string): boolean => files.kind(join(shown.path, path)) === null;
  return ignored
    .map((path) => path.replace(/\/$/, ''))
    .flatMap((path) =>
      isMissing(path)
        ? [path]
        : files
            .list(files.kind(join(own.root, path)) === 'directory' ? join(own.root, path) : '')
            .map((name) => `${path}/${name}`)
            .filter(isMissing),
    )
    .map((path) => workspacePath(repository.prefix, path));
};

/** The check tree of the attempt is free again. */
export const releaseCheckTree = ({ context, checks }: OpenSession, attempt: Attempt): void => {
  const tree = checks.find(({ user }) => user === context.names.directoryOf(attempt));
  if (tree !== undefined) tree.user = null;
};

/** Removes a check tree, whole or not. */
export const discardCheckTree = async (
  context: Context,
  path: string,
  before: BeforeRemoval,
): Promise<void> => {
  const isSent = basename(path).startsWith('sent.');
  if (!isSent && worktreeAt(context, path) !== null)
    await before({
      directory: workspaceIn(path, context.repository.prefix),
      slot: slotOf(context, path),
    });
  await discardWorktree(context, path);
  freeSlot(context, path);
};

/** Files that say what `worktree.setup` installs. */
const lockFile =
  /(?:^|\/)(?:[^/]*\.lock[b]?|[^/]*[-.]lock\.(?:json|ya?ml)|npm-shrinkwrap\.json|gradle\.lockfile|Package\.resolved|go\.sum|requirements[^/]*\.txt|\.gitmodules)$/i;

/** Brings a check tree to a commit, and to what it held when it was set up. False: it has to be made again. */
const isReset = async (context: Context, tree: CheckTree, at: string): Promise<boolean> => {
  const work = worktreeAt(context, tree.path);
  const { made } = tree;
  if (work === null || made === null) return false;
  if (context.files.read(join(tree.path, '.git'))?.trim() !== `gitdir: ${work.gitDir}`) return false;
  const between = await pathsBetween(context, tree.setUpAt, at);
  if (made.size > 0 && between.some((path) => lockFile.test(path))) return false;
  removeLocks(context, work);
  restoreIndex(context, work);
  const show = ['checkout', '--quiet', '--force', '--detach', at];
  if ((await tryGit(context, show, { in: work })).code !== 0) return false;
  keepIndex(context, work);
  const tops = [...made.keys()].filter((path) => !made.has(dirname(path)));
  const kept = tops.flatMap((path) => ['-e', `/${path.replace(/[\\*?[\]!#\s]/g, '\\$&')}`]);
  if ((await tryGit(context, ['clean', '-ffdxq', ...kept], { in: work })).code !== 0) return false;
  return isAsMade(context, tree.path, made);
};

/** Removes what came in beside the files that were made; whether those are as they were. */
const isAsMade = async (context: Context, root: string, made: MadeFiles): Promise<boolean> => {
  const { files } = context;
  for (const [path, stamp] of made) {
    const at = join(root, path);
    if (stamp !== directoryMark) {
      if (files.stamp(at) !== stamp) return false;
      continue;
    }
    if (files.kind(at) !== 'directory') return false;
    for (const name of files.list(at))
      if (!made.has(`${path}/${name}`)) await files.removeTree(join(at, name));
  }
  return true;
};

const directoryMark = '/';

const filesBelow = ({ files }: Context, root: string, tops: readonly string[]): MadeFiles => {
  const made = new Map<string, string>();
  const walk = (path: string): void => {
    const at = join(root, path);
    const isDirectory = files.kind(at) === 'directory';
    made.set(path, isDirectory ? directoryMark : files.stamp(at));
    if (isDirectory) for (const name of files.list(at)) walk(`${path}/${name}`);
  };
  for (const top of tops) walk(top);
  return made;
};

const workTreeOf = (context: Context, { path }: CheckTree): WorkTree => {
  const work = worktreeAt(context, path);
  if (work === null) throw refuse('no-worktree', `${path} is not a worktree`);
  return work;
};

/** The index as our checkout left it: a command may mark files in it that git then never looks at. */
const keptIndex = (context: Context, { root }: WorkTree): string =>
  join(context.place, 'tmp', `index-of-${root.slice(root.lastIndexOf('/') + 1)}`);

const keepIndex = (context: Context, work: WorkTree): void => {
  const kept = keptIndex(context, work);
  context.files.makeDirectory(join(context.place, 'tmp'));
  context.files.unlink(kept);
  context.files.copy(join(work.gitDir, 'index'), kept);
};

const restoreIndex = (context: Context, work: WorkTree): void => {
  const own = join(work.gitDir, 'index');
  context.files.unlink(own);
  if (context.files.kind(keptIndex(context, work)) === 'file')
    context.files.copy(keptIndex(context, work), own);
};
