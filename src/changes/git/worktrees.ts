import { basename, dirname, join } from 'node:path';
import { type Context, refuse, repositoryPlace, runGit, type WorkTree } from '../context.ts';
import { forgetRecordings } from './snapshot.ts';

/** The registrations of worktrees in the repository: their directory below `.git/worktrees`, and the path each was made for. */
export const registrations = (
  context: Pick<Context, 'files' | 'repository'>,
): readonly { readonly gitDir: string; readonly path: string }[] => {
  const all = join(context.repository.commonDir, 'worktrees');
  return context.files.list(all).flatMap((name) => {
    const file = context.files.read(join(all, name, 'gitdir'))?.trim();
    return file === undefined ? [] : [{ gitDir: join(all, name), path: dirname(file) }];
  });
};

type Registration = ReturnType<typeof registrations>[number];

/** The registration of one path. git names it after the directory, with a number when the name is taken: only those are read. */
const registrationOf = (
  context: Pick<Context, 'files' | 'repository'>,
  path: string,
): Registration | null => {
  const all = join(context.repository.commonDir, 'worktrees');
  const name = basename(path);
  for (const each of context.files.list(all)) {
    if (!each.startsWith(name) || !/^\d*$/.test(each.slice(name.length))) continue;
    const gitDir = join(all, each);
    if (context.files.read(join(gitDir, 'gitdir'))?.trim() === join(path, '.git')) return { gitDir, path };
  }
  return null;
};

/**
 * The worktree registered at this path, or `null`. Found through the registration, never through the `.git` file in the worktree: an agent may
 * have changed that.
 */
export const worktreeAt = (context: Pick<Context, 'files' | 'repository'>, path: string): WorkTree | null => {
  const found = registrationOf(context, path);
  if (found === null || context.files.kind(path) !== 'directory') return null;
  const { files } = context;
  const whole =
    files.kind(join(found.gitDir, 'HEAD')) === 'file' && files.kind(join(found.gitDir, 'index')) === 'file';
  return whole ? { gitDir: found.gitDir, root: path } : null;
};

/** Makes a worktree, where `how` is the end of `git worktree add`. */
export const addWorktree = async (
  context: Context,
  doing: string,
  path: string,
  how: readonly string[],
): Promise<WorkTree> => {
  await runGit(context, doing, ['worktree', 'add', '--quiet', ...how]);
  const made = worktreeAt(context, path);
  if (made === null) throw refuse('git-failed', `git did not create a worktree at ${path}`);
  await settleWorktree(context, made);
  return made;
};

/**
 * What git leaves to do in a worktree that it made; a crash may have come before. Its own way leads through our own common directory: other programs
 * go straight to the repository. A shared `core.worktree`, as a submodule has, counts in every worktree once each may have a configuration of its own: then
 * this one says there where its files are, or the agent's git would work on the person's.
 */
export const settleWorktree = async (context: Context, { root, gitDir }: WorkTree): Promise<void> => {
  const [link, way] = [join(root, '.git'), `gitdir: ${gitDir}\n`];
  if (context.files.read(link) !== way) context.files.write(link, new TextEncoder().encode(way));
  const { config } = context.repository;
  if (!config.some(({ key }) => key === 'extensions.worktreeconfig')) return;
  const own = ['config', '--file', join(gitDir, 'config.worktree'), 'core.worktree', root];
  await runGit(context, 'set up the worktree', own);
};

/**
 * Removes a worktree of ours, whole or half-made, and its registration. Nothing outside its path is touched. Its files may be many, and nothing needs to wait for
 * them: they are moved aside and removed by another process.
 */
export const discardWorktree = async (context: Context, path: string): Promise<void> => {
  const { files } = context;
  const kind = files.kind(path);
  const known = registrationOf(context, path);
  if (kind === null && known === null) return;
  if (known !== null) forgetRecordings(context, known.gitDir);
  // A link in place of the directory, or of one above it, would lead the removal elsewhere.
  if (kind !== null && (kind !== 'directory' || files.resolve(path) !== path))
    throw refuse('not-ours', `${path} is a link or points elsewhere, so it was not removed`, {
      hint: 'check it, then remove it by hand',
    });
  const aside = join(asideOf(context), context.unique());
  const isAside = kind !== null && files.moveAside(path, aside);
  if (kind !== null && !isAside) await files.removeTree(path);
  if (known !== null) await files.removeTree(known.gitDir);
  if (isAside) files.removeBeside(aside);
  // git would remove it with the last one, but sees a link there.
  files.removeEmpty(join(context.repository.commonDir, 'worktrees'));
};

/** Where the files of removed worktrees are until they are gone. */
const asideOf = (context: Context): string => `${repositoryPlace(context, context.repository)}.gone`;

/** Goes on with removals that were cut off. */
export const removeWhatIsAside = (context: Context): void => {
  const aside = asideOf(context);
  for (const name of context.files.list(aside)) context.files.removeBeside(join(aside, name));
};

/** Removes the locks that a git process of ours left when the machine stopped, or one of an agent that was stopped. Nothing else works in these directories now. */
export const removeLocks = (context: Context, tree: WorkTree): void => {
  for (const name of context.files.list(tree.gitDir))
    if (name.endsWith('.lock')) context.files.unlink(join(tree.gitDir, name));
};
