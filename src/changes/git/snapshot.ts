import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import type { ConfigurationWatch } from '../configuration.ts';
import { askGit, type Context, type Identity, ownIdentity, tryGit, type WorkTree } from '../context.ts';
import { forgetRepositories, gitlinkMode, unheldRepositories } from './nested.ts';
import { gitFault } from './repository.ts';

/** The files of a work tree as they are, without the session's own directory. */
export interface RecordedTree {
  readonly tree: string;
  readonly problems: readonly string[];
  /** The repositories in the work tree whose files `tree` does not hold; none unless `since` was given. */
  readonly repositories: readonly string[];
}

/** The directory of sessions, relative to a workspace. */
export const sessionsDirectory = '.ralph-sessions';

/**
 * Writes the files of a work tree, ignored ones left out, as a tree object. Works on a copy of the index: a copy keeps what git knows of unchanged
 * files, so only changed ones are read. A file that cannot be read is named and left as it was. `since`: looks for
 * repositories in the work tree as well (`nested.ts`).
 */
export const recordTree = async (
  context: Context,
  watch: ConfigurationWatch,
  tree: WorkTree,
  since: string | null = null,
): Promise<RecordedTree> => {
  const { files, lastIndexes } = context;
  const temporary = join(context.place, 'tmp');
  const indexFile = join(temporary, `index-${context.unique()}`);
  const stamp = files.stamp(join(tree.gitDir, 'index'));
  files.makeDirectory(temporary);
  copyIndex(context, tree, stamp, indexFile);
  try {
    const extra = { in: tree, indexFile, config: await watch.programsOff(tree) };
    let said = await addFiles(context, extra);
    const looks = since !== null && files.includes(indexFile, gitlinkMode);
    if (looks && (await forgetRepositories(context, tree, indexFile))) said = await addFiles(context, extra);
    const problems = problemsOf(said);
    const written = await askGit(context, 'record the files', ['write-tree'], extra);
    const unborn = since === null ? [] : unbornIn(said);
    const repositories = looks ? await unheldRepositories(context, tree, since, indexFile) : [];
    const kept = join(temporary, `last-${context.hash(tree.gitDir).slice(0, 16)}`);
    if (extra.config.length === 0) {
      files.replace(indexFile, kept);
      lastIndexes.set(tree.gitDir, { stamp, file: kept });
    }
    return { tree: written, problems, repositories: [...unborn, ...repositories] };
  } finally {
    files.unlink(indexFile);
    files.unlink(`${indexFile}.lock`);
  }
};

/** Adds all files but the sessions' to the index. Returns what git said of those it left out. */
const addFiles = async (
  context: Context,
  extra: { readonly in: WorkTree; readonly indexFile: string; readonly config: readonly string[] },
): Promise<string> => {
  // git fails when it is to exclude a path that is ignored. It compares that path up to the first wildcard.
  const prefix = context.repository.prefix.replace(/[\\*?[]/g, '\\$&');
  const sessions = `:(top,exclude,glob)${prefix}[.]${sessionsDirectory.slice(1)}/**`;
  const add = ['add', '--all', '--ignore-errors', '--', ':/', sessions];
  const added = await tryGit(context, add, { ...extra, magicPaths: true });
  if (added.code === 0) return '';
  if (problemsOf(added.error).length === 0) throw new FaultError(gitFault('record the files', added));
  return added.error;
};

/**
 * The index of the last snapshot, while the work tree's own is the same: it also knows new files, which git would else read again each time. Without
 * it the work tree's own.
 */
const copyIndex = ({ files, lastIndexes }: Context, tree: WorkTree, stamp: string, to: string): void => {
  const last = lastIndexes.get(tree.gitDir);
  const from =
    last?.stamp === stamp && files.kind(last.file) === 'file' ? last.file : join(tree.gitDir, 'index');
  if (files.kind(from) === 'file') files.copy(from, to);
};

/** A commit of ours that no branch names. */
export const commitTree = (
  context: Context,
  tree: string,
  parents: readonly string[],
  message: string,
  identity: Identity | null = ownIdentity,
): Promise<string> =>
  askGit(context, 'write a commit', ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
    input: `${message}\n`,
    ...(identity === null ? {} : { identity }),
  });

/** Repositories without a commit: git records nothing of them. */
const unbornIn = (error: string): readonly string[] =>
  [...error.matchAll(/^error: '(.*)\/' does not have a commit checked out$/gm)].map(([, path = '']) => path);

/** With `--ignore-errors`, git goes on after such a line. */
const problemsOf = (error: string): readonly string[] =>
  error
    .split('\n')
    .flatMap((line) => {
      const [nested] = unbornIn(line);
      if (nested !== undefined)
        return [`${nested} is a git repository without a commit: its files are not recorded.`];
      const closed = /^(?:error|warning): (?:could not open|open\(")'?"?(.*?)['"]\)?/.exec(line)?.[1];
      return closed ? [`${closed} cannot be read: it is not recorded.`] : [];
    })
    .filter((line, index, all) => all.indexOf(line) === index);
