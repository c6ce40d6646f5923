import { join } from 'node:path';
import { type Context, refuse, runGit, tryGit, type WorkTree } from '../context.ts';
import type { RecordedTree } from '../memory.ts';
import { partsOf, textOf } from './git-text.ts';

/** Repositories named at most: a question needs no more. */
const mostNamed = 20;

/**
 * The git repositories in a work tree whose files would be lost with it, by path. Of a repository in another one git records only the name of a
 * commit. That is enough for a submodule as it was checked out, and for a commit that its remote has. `since`: the commit whose submodules are
 * known. `indexFile`: an index that holds what the work tree holds.
 */
export const unheldRepositories = async (
  context: Context,
  tree: WorkTree,
  since: string,
  indexFile?: string,
): Promise<readonly string[]> => {
  const extra = { in: tree, ...(indexFile === undefined ? {} : { indexFile }) };
  const listed = gitlinksIn(await runGit(context, 'list submodules', ['ls-files', '-s', '-z'], extra));
  if (listed.size === 0) return [];
  const known = await tryGit(context, ['ls-tree', '-r', '-z', '--full-tree', since], { in: tree });
  const before = gitlinksIn(known.out);
  const named = context.files.read(join(tree.root, '.gitmodules')) ?? '';
  const unheld: string[] = [];
  for (const [path, commit] of listed) {
    if (unheld.length >= mostNamed) break;
    const isKnown = before.get(path) === commit;
    const isNamed = named.split('\n').some((line) => line.trim() === `path = ${path}`);
    if (!(await isHeld(context, { path, tree, isKnown, isNamed }))) unheld.push(path);
  }
  return unheld;
};

/** Takes submodules whose directory holds files, but no repository any more, out of the index: git would not add those files. Returns whether. */
export const forgetRepositories = async (
  context: Context,
  tree: WorkTree,
  indexFile: string,
): Promise<boolean> => {
  const extra = { in: tree, indexFile };
  const listed = gitlinksIn(await runGit(context, 'list submodules', ['ls-files', '-s', '-z'], extra));
  const plain = [...listed.keys()].filter((path) => {
    const names = context.files.list(join(tree.root, path));
    return names.length > 0 && !names.includes('.git');
  });
  if (plain.length === 0) return false;
  const input = plain.map((path) => `${path}\0`).join('');
  await runGit(context, 'add the files', ['update-index', '--force-remove', '-z', '--stdin'], {
    ...extra,
    input,
  });
  return true;
};

interface Nested {
  readonly path: string;
  readonly tree: WorkTree;
  /** Its commit is the one that the work began with. */
  readonly isKnown: boolean;
  /** `.gitmodules` says where it comes from. */
  readonly isNamed: boolean;
}

/** Whether nothing is lost with this repository. One that cannot be read holds who knows what. */
const isHeld = async (context: Context, { path, tree, isKnown, isNamed }: Nested): Promise<boolean> => {
  const root = join(tree.root, path);
  const gitDir = join(root, '.git');
  // Not checked out: only the name of the commit is there.
  if (context.files.kind(gitDir) === null) return isKnown;
  const extra = { in: { gitDir, root } };
  const look = ['status', '--porcelain', '-z', '--untracked-files=normal', '--ignore-submodules=all'];
  const status = await tryGit(context, look, extra);
  if (status.code !== 0 || status.out.length > 0) return false;
  if ((await unheldRepositories(context, { gitDir, root }, 'HEAD')).length > 0) return false;
  if (isKnown) return true;
  const unpublished = ['rev-list', '--max-count=1', 'HEAD', '--not', '--remotes'];
  const answer = await tryGit(context, unpublished, extra);
  return isNamed && answer.code === 0 && textOf(answer.out) === '';
};

/** Paths and commits of the submodules in the output of `ls-files -s` or `ls-tree`. */
export const gitlinksIn = (out: Uint8Array): ReadonlyMap<string, string> =>
  new Map(
    partsOf(out).flatMap((line) => {
      const match = /^160000 (?:commit )?([0-9a-f]+)(?: \d)?\t([\s\S]+)$/.exec(line);
      return match ? [[match[2] ?? '', match[1] ?? ''] as const] : [];
    }),
  );

/** Refuses to remove a work tree that holds files which no commit does: of such repositories, and what git could not read. */
export const refuseLoss = (
  path: string,
  { repositories, unread }: Pick<RecordedTree, 'repositories' | 'unread'>,
): void => {
  if (repositories.length > 0) throw keptFor(path, repositories);
  if (unread.length > 0)
    throw refuse(
      'kept',
      `${path} is kept: it contains ${unread.slice(0, 3).map(shortPath).join(', ')}, which git cannot read`,
      { hint: 'move what you need out of the worktree, then remove it' },
    );
};

/** A path that may be thousands of characters long, for a sentence. */
export const shortPath = (path: string): string =>
  path.length <= mostOfPath ? path : `${path.slice(0, mostOfPath)}… (${path.length} characters)`;

const mostOfPath = 100;

const keptFor = (path: string, repositories: readonly string[]): Error => {
  const [one = '', ...others] = repositories;
  const what =
    others.length === 0
      ? `the git repository ${one}`
      : `the git repositories ${repositories.slice(0, 3).join(', ')}`;
  return refuse('kept', `${path} is kept: it contains ${what}, whose files are not in any commit here`, {
    hint: 'move what you need out of the worktree, then remove it',
  });
};

/** The mode of a submodule as an index holds it: an index without these bytes has none. */
export const gitlinkMode = Uint8Array.of(0, 0, 0xe0, 0);
