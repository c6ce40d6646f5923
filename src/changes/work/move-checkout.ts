import { dirname, join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { type Context, refuse, runGit, tryGit } from '../context.ts';
import { partsOf } from '../git/git-text.ts';
import { gitFault } from '../git/repository.ts';
import { begunAmong, type Moved, movedBetween } from './begun-files.ts';

/** The branch that the person has checked out, the commit where it is, and the one that it moves to. */
interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Moves the branch, the index and the files of the person, who has changed none of these files. git that fails half-way (a full disk, a directory that
 * it may not write) leaves some of them as they will be: then these are put back as they were. What else changed meanwhile is the person's.
 */
export const moveCheckout = async (context: Context, { branch, from, to }: Move): Promise<void> => {
  const { files, repository } = context;
  const moved = await movedBetween(context, from, to);
  const absent = absentAmong(
    context,
    moved.map(({ path }) => path),
  );
  const stampOf = ({ path }: Moved): string => files.stamp(join(repository.root, path));
  const before = new Map(moved.map((each) => [each.path, stampOf(each)]));
  const merge = ['merge', '--ff-only', '--no-overwrite-ignore', '--quiet', '--no-stat', to];
  const answer = await tryGit(context, merge);
  if (answer.code === 0) return;
  const fault = gitFault(`merge into ${branch}`, answer);
  const [head] = partsOf(await runGit(context, 'read the head', ['rev-parse', 'HEAD']));
  // Another program may have moved the branch meanwhile.
  if (head?.trim() !== from) throw new FaultError(fault);
  const touched = moved.filter((each) => before.get(each.path) !== stampOf(each));
  const left = await putBack(context, await begunAmong(context, touched), absent);
  if (left.length === 0) throw new FaultError(fault);
  throw refuse('half-merged', `${fault.what}; ${left.slice(0, 3).join(', ')} could not be put back`, {
    hint: `make room, then run \`${printedCommand('git', '-C', context.repository.root, 'restore', '--', ...left.slice(0, 20))}\``,
  });
};

/** Files and directories that are not there, the deepest first: what stands there later is of the merge. */
const absentAmong = (
  { files, repository: { root } }: Context,
  paths: readonly string[],
): readonly string[] => {
  const absent = new Set<string>();
  for (const path of paths)
    for (let at = path; at !== '.' && !absent.has(at); at = dirname(at))
      if (files.kind(join(root, at)) === null) absent.add(at);
  return [...absent].sort((one, other) => other.length - one.length);
};

/** Puts the files back as the index has them, and returns those that are not. What is new goes first: it makes room. */
const putBack = async (
  context: Context,
  begun: readonly Moved[],
  absent: readonly string[],
): Promise<readonly string[]> => {
  const { files, repository } = context;
  const isThere = (path: string): boolean => files.kind(join(repository.root, path)) !== null;
  const added = new Set(begun.filter(({ isNew }) => isNew).map(({ path }) => path));
  const others = begun.filter(({ isNew }) => !isNew).map(({ path }) => path);
  for (const path of absent) {
    const full = join(repository.root, path);
    if (files.kind(full) === 'directory') files.removeEmpty(full);
    else if (added.has(path)) files.unlink(full);
  }
  if (others.length > 0) {
    const input = others.map((path) => `${path}\0`).join('');
    await tryGit(context, ['checkout-index', '--force', '--quiet', '-z', '--stdin'], { input });
  }
  await tryGit(context, ['update-index', '-q', '--refresh']);
  const different = partsOf((await tryGit(context, ['diff-files', '-z', '--name-only'])).out);
  return [...[...added].filter(isThere), ...others.filter((path) => different.includes(path))];
};
