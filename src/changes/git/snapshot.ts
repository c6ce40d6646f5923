import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import {
  askGit,
  type Context,
  type Identity,
  ownIdentity,
  runGit,
  tryGit,
  type WorkTree,
} from '../context.ts';
import { createSerially, type RecordedTree, type Recorder } from '../memory.ts';
import { changedPaths, type OnIndex, sessionsDirectory } from './changed-paths.ts';
import { treesOf } from './compare.ts';
import { partsOf, textOf } from './git-text.ts';
import { ageIndex, openIndex, removeIndex } from './kept-index.ts';
import { forgetRepositories, gitlinkMode, shortPath, unheldRepositories } from './nested.ts';
import { passOn, tellAnswered } from './own-objects.ts';
import { gitFault } from './repository.ts';
import { seeAllFiles } from './see-all-files.ts';

/**
 * Writes the files of a work tree, ignored ones left out, as a tree object, as they are at a moment after the call. Works on an index of its own, which
 * keeps what git knows of unchanged files: only changed ones are read, and an unchanged work tree costs one process. A file
 * that cannot be read is named and left as it was. `since`: looks for repositories in the work tree as well (`nested.ts`).
 */
export const recordTree = (
  context: Context,
  tree: WorkTree,
  since: string | null = null,
): Promise<RecordedTree> => {
  const recorder = recorderOf(context, tree);
  if (since === null && recorder.waiting !== null) return recorder.waiting;
  const mine = recorder.serially(async () => {
    if (recorder.waiting === mine) recorder.waiting = null;
    try {
      return await record(context, tree, since, recorder);
    } catch (error) {
      forgetRecordings(context, tree.gitDir);
      throw error;
    }
  });
  if (since === null) recorder.waiting = mine;
  return mine;
};

const recorderOf = ({ recorders }: Context, { gitDir }: WorkTree): Recorder => {
  const known = recorders.get(gitDir);
  if (known !== undefined) return known;
  const fresh = { serially: createSerially(), waiting: null, kept: null };
  recorders.set(gitDir, fresh);
  return fresh;
};

/** Drops what is kept of a work tree: it is gone, or an index may be damaged. */
export const forgetRecordings = (context: Context, gitDir: string): void => {
  const recorder = context.recorders.get(gitDir);
  if (!recorder?.kept) return;
  removeIndex(context, recorder.kept);
  recorder.kept = null;
};

/** Remembers that a work tree was made of this commit just now: while it is unchanged, its tree is known. */
export const knowCheckout = async (context: Context, tree: WorkTree, commit: string): Promise<void> => {
  const recorder = recorderOf(context, tree);
  recorder.kept = openIndex(context, tree, null);
  recorder.kept.tree = (await treesOf(context, [commit]))[0] ?? null;
};

const record = async (
  context: Context,
  tree: WorkTree,
  since: string | null,
  recorder: Recorder,
): Promise<RecordedTree> => {
  const began = context.now();
  const index = openIndex(context, tree, recorder.kept);
  const on = { in: tree, indexFile: index.file };
  const isFresh = index !== recorder.kept;
  recorder.kept = index;
  if (isFresh) await seeAllFiles(context, on);
  let added = await addFiles(context, on);
  const looks = since !== null && context.files.includes(index.file, gitlinkMode);
  if (looks && (await forgetRepositories(context, tree, index.file))) {
    index.tree = null;
    added = await addFiles(context, on);
  }
  if (added.changed || index.tree === null) {
    index.tree = await writeTree(context, on);
    ageIndex(context, index, began);
  }
  const unborn = since === null ? [] : unbornIn(added.said);
  const repositories = looks ? await unheldRepositories(context, tree, since, index.file) : [];
  return {
    tree: index.tree,
    problems: problemsOf(added.said),
    repositories: [...unborn, ...repositories],
    unread: since === null ? [] : unreadIn(added.said),
  };
};

/** Writes the index as a tree. A path that is still unmerged there, although its file equals one side, is added as the file is. */
const writeTree = async (context: Context, on: OnIndex): Promise<string> => {
  const unmerged = ['ls-files', '--unmerged', '-z'];
  const written = await tryGit(context, ['write-tree'], on);
  if (written.code === 0) return textOf(written.out).trim();
  const entries = partsOf(await runGit(context, 'look for conflicts', unmerged, on));
  if (entries.length > 0) {
    const paths = new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)));
    const input = [...paths].map((path) => `${path}\0`).join('');
    const update = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    await runGit(context, 'record the files', update, { ...on, input });
  }
  return askGit(context, 'record the files', ['write-tree'], on);
};

/** Brings the index to the files of the work tree. `said`: what git said of those it left out. */
const addFiles = async (
  context: Context,
  on: OnIndex,
): Promise<{ readonly changed: boolean; readonly said: string }> => {
  const { paths, said } = await changedPaths(context, on);
  if (paths.length === 0) return { changed: false, said };
  const update = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
  const input = paths.map((path) => `${path}\0`).join('');
  if ((await tryGit(context, update, { ...on, input })).code === 0) return { changed: true, said };
  // One of them cannot be added. This takes all others, and names it.
  // git fails when it is to exclude a path that is ignored. It compares that path up to the first wildcard.
  const prefix = context.repository.prefix.replace(/[\\*?[]/g, '\\$&');
  const sessions = `:(top,exclude,glob)${prefix}[.]${sessionsDirectory.slice(1)}/**`;
  const sparse = maybeSparse(context, on) ? ['--sparse'] : [];
  const add = ['add', '--all', '--ignore-errors', ...sparse, '--', ':/', sessions];
  const added = await tryGit(context, add, { ...on, magicPaths: true });
  if (added.code !== 0 && problemsOf(added.error).length === 0)
    throw new FaultError(gitFault('record the files', added));
  return { changed: true, said: `${said}\n${added.code === 0 ? '' : added.error}` };
};

/** Whether files may be outside a sparse checkout. Older versions of git, without worktrees for tasks, do not know the option. */
const maybeSparse = ({ repository }: Context, { in: tree }: OnIndex): boolean =>
  tree.root !== repository.root ||
  repository.config.some(({ key, value }) => key === 'core.sparsecheckout' && value === 'true');

/** A commit of ours that no branch names. */
export const commitTree = async (
  context: Context,
  tree: string,
  parents: readonly string[],
  message: string,
  identity: Identity | null = ownIdentity,
): Promise<string> => {
  const isKnown = /^[0-9a-f]+$/.test(tree);
  const own =
    isKnown && identity !== null ? await writeCommit(context, { tree, parents, message, identity }) : null;
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
  const who = identity === null ? {} : { identity };
  const commit = own ?? (await askGit(context, 'write a commit', args, { input: `${message}\n`, ...who }));
  if (isKnown) context.trees.set(commit, tree);
  context.parents.set(commit, parents);
  // git may move the person's branch to it.
  passOn(context);
  return commit;
};

/** Writes a commit without a process of its own. `null` when there is no answer: git says why when it is asked as usual. */
const writeCommit = async (
  context: Context,
  { tree, parents, message, identity }: NewCommit,
): Promise<string | null> => {
  const { files, objects, place, staying } = context;
  // The process writes where the session's objects were.
  if (objects?.isUsed === false) return null;
  const { name, email, zone } = identity;
  const who = `${name} <${email}> ${Math.floor(context.now() / 1_000)} ${zone}`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const content = [...lines, `author ${who}`, `committer ${who}`, '', message, ''].join('\n');
  const path = join(place, 'tmp', `commit-${context.unique()}`);
  if (path.includes('\n')) return null;
  files.makeDirectory(join(place, 'tmp'));
  files.writeScratch(path, new TextEncoder().encode(content));
  try {
    const { code, out } = await staying.commits.ask(`${path}\n`, '\n');
    tellAnswered(context, 'hash-object');
    return code === 0 ? textOf(out) : null;
  } finally {
    files.unlink(path);
  }
};

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly identity: Identity;
}

/** Repositories without a commit: git records nothing of them. */
const unbornIn = (error: string): readonly string[] =>
  [...error.matchAll(/^error: '(.*)\/' does not have a commit checked out$/gm)].map(([, path = '']) => path);

/** Files and directories that git could not open. It continues after such a line, which it cuts off when it is long. */
const unreadIn = (error: string): readonly string[] => [
  ...new Set(
    [
      ...error.matchAll(
        /^(?:error|warning): (?:could not open(?: directory)? |open\()['"](.*?)(?:\/?['"].*)?$/gm,
      ),
    ].map(([, path = '']) => path),
  ),
];

const problemsOf = (error: string): readonly string[] => [
  ...unbornIn(error).map(
    (path) => `${path} is a git repository without a commit: its files are not recorded.`,
  ),
  ...unreadIn(error).map((path) => `${shortPath(path)} cannot be read and is not recorded.`),
];
