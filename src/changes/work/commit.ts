import { withoutClosingWords } from '../../issues/pull-requests/without-closing-words.ts';
import {
  askGit,
  type Context,
  nameOf,
  readRefs,
  refuse,
  runGit,
  tryGit,
  type WorkTree,
  worktreePath,
  writeRefs,
} from '../context.ts';
import { workspacePath } from '../files/workspace-path.ts';
import { treesOf } from '../git/compare.ts';
import { refuseForgedFiles } from '../git/forged.ts';
import { partsOf, textOf } from '../git/git-text.ts';
import type { AttemptRefs } from '../git/ref-names.ts';
import { commitTree, recordTree } from '../git/snapshot.ts';
import { worktreeAt } from '../git/worktrees.ts';
import type { Attempt, Committed, Snapshot } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { worktreeOf } from './prepare.ts';
import { withoutPrepared } from './prepared-files.ts';

/** Records the files of the attempt's work tree, or of the shared workspace, in a private ref. */
export const takeSnapshot = async (
  session: OpenSession,
  attempt: Attempt,
  moment: 'before' | 'after',
): Promise<Snapshot> => {
  const { context } = session;
  const since = session.own !== null && moment === 'after' ? context.names.branch : null;
  const place = treeOfAttempt(session, attempt);
  const { tree, problems, repositories, unread } = await recordTree(context, place, since);
  const refs = await readRefs(context, attempt);
  const names = context.names.of(attempt);
  const start = refs.get(names.start);
  if (session.own !== null && moment === 'before' && start !== undefined) {
    await rememberPrepared(context, refs, names, tree);
    return { commit: start, problems, repositories };
  }
  const parent = (moment === 'after' ? refs.get(names.before) : null) ?? context.repository.head;
  const make = async (): Promise<string> => {
    const own = await withoutPrepared(context, { start, prepared: refs.get(names.prepared) }, tree);
    return commitTree(context, own, parent === null ? [] : [parent], `${nameOf(attempt)}: ${moment}`);
  };
  const commit = await (session.own === null ? sharedCommit(session, tree, make) : make());
  if (session.own !== null) await refuseForgedFiles(context, commit);
  const { first, last } = context.names;
  const inShared = refs.has(first) ? { [last]: commit } : { [first]: commit, [last]: commit };
  await writeRefs(context, {
    [names[moment]]: commit,
    ...(session.own === null ? inShared : {}),
    ...(since === null ? {} : await nestedRef(context, refs, names.nested, { repositories, unread })),
  });
  return { commit, problems, repositories };
};

/** Snapshots of a shared workspace follow one another: while nothing changes they are one commit. */
const sharedCommit = ({ last }: OpenSession, tree: string, make: () => Promise<string>): Promise<string> => {
  if (last.tree === tree && last.commit !== null) return last.commit;
  const commit = make();
  Object.assign(last, { tree, commit });
  commit.catch(() => Object.assign(last, { tree: '', commit: null }));
  return commit;
};

/** The attempt begins at its commit; what the setup made on top is remembered, for it is no work of the attempt. */
const rememberPrepared = async (
  context: Context,
  refs: ReadonlyMap<string, string>,
  names: AttemptRefs,
  tree: string,
): Promise<void> => {
  const start = refs.get(names.start) ?? '';
  const isSame = (await treesOf(context, [start]))[0] === tree;
  const prepared = isSame ? null : await commitTree(context, tree, [start], 'after worktree.setup');
  await writeRefs(context, {
    [names.before]: start,
    ...(isSame && !refs.has(names.prepared) ? {} : { [names.prepared]: prepared }),
  });
};

type Lacking = Pick<Committed, 'repositories'> & Required<Pick<Committed, 'unread'>>;

/** The ref that names what the snapshot does not hold; nothing to write when there is nothing. What git could not read begins with a slash. */
const nestedRef = async (
  context: Context,
  refs: ReadonlyMap<string, string>,
  ref: string,
  { repositories, unread }: Lacking,
): Promise<Readonly<Record<string, string | null>>> => {
  const inWorkspace = (path: string): string => workspacePath(context.repository.prefix, path);
  const names = [...repositories.map(inWorkspace), ...unread.map((path) => `/${inWorkspace(path)}`)];
  if (names.length === 0) return refs.has(ref) ? { [ref]: null } : {};
  const input = names.map((path) => `${path}\0`).join('');
  return { [ref]: await askGit(context, 'name repositories', ['hash-object', '-w', '--stdin'], { input }) };
};

/** What the snapshot of the attempt does not hold of its worktree, as last looked at. */
const nestedIn = async (context: Context, blob: string | undefined): Promise<Lacking> => {
  const names =
    blob === undefined
      ? []
      : partsOf(await runGit(context, 'read names of repositories', ['cat-file', 'blob', blob]));
  return {
    repositories: names.filter((name) => !name.startsWith('/')),
    unread: names.filter((name) => name.startsWith('/')).map((name) => name.slice(1)),
  };
};

/** Where the attempt works. */
const treeOfAttempt = ({ context, own }: OpenSession, attempt: Attempt): WorkTree =>
  own === null ? context.repository : worktreeOf(context, attempt);

/**
 * Commits the attempt's `after` snapshot on its branch. Commits that an agent made there stay below it, unless their messages would close issues of a flow. While the worktree holds repositories of
 * their own, each call looks at it again.
 */
export const commitAttempt = async (
  session: OpenSession,
  attempt: Attempt,
  message: string,
): Promise<Committed> => {
  const { context } = session;
  const names = context.names.of(attempt);
  let refs = await readRefs(context, attempt);
  const done = refs.get(names.commit);
  // A person may have made a repository in it part of the worktree since.
  const looksAgain = refs.has(names.nested) && worktreeAt(context, worktreePath(context, attempt)) !== null;
  if (done !== undefined && !looksAgain)
    return {
      commit: done,
      empty: done === refs.get(names.start),
      ...(await nestedIn(context, refs.get(names.nested))),
    };
  if (looksAgain || !refs.has(names.after)) {
    await takeSnapshot(session, attempt, 'after');
    refs = await readRefs(context, attempt);
  }
  const start = refs.get(names.start);
  const after = refs.get(names.after);
  if (start === undefined || after === undefined)
    throw refuse('no-snapshot', `${nameOf(attempt)} has no snapshot to commit`);
  const below = await commitsBelow(session, refs.get(names.branch), start);
  const parent = below.closes ? start : below.tip;
  const [wanted = '', present] = await treesOf(context, [after, parent]);
  const same = wanted === present;
  const words = below.closes ? `${message}\n\n${withoutClosingWords(below.messages)}` : message;
  const commit = same ? parent : await commitTree(context, wanted, [parent], words, session.identity);
  await writeRefs(context, { [names.commit]: commit, [names.branch]: commit });
  return { commit, empty: commit === start, ...(await nestedIn(context, refs.get(names.nested))) };
};

/**
 * What an agent committed itself on the attempt's branch. `tip` is `start` where it did not continue that: an agent may have moved the branch anywhere.
 * `closes`: a message would close issues once the branch is pushed and merged, which only the person and the engine do.
 */
const commitsBelow = async (
  { context }: OpenSession,
  tip: string | undefined,
  start: string,
): Promise<{ readonly tip: string; readonly closes: boolean; readonly messages: string }> => {
  const none = { tip: start, closes: false, messages: '' };
  if (tip === undefined || tip === start) return none;
  const isBelow = await tryGit(context, ['merge-base', '--is-ancestor', start, tip]);
  if (isBelow.code !== 0) return none;
  const log = ['log', '--reverse', '--format=%B', `${start}..${tip}`];
  const messages = textOf(await runGit(context, 'read the commits of the attempt', log)).trim();
  // Only the branch of issues has a name of its own, and only that one is pushed by this program.
  const closes = context.opening.branch !== undefined && withoutClosingWords(messages) !== messages;
  return { tip, closes, messages };
};
