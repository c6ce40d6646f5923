import { dirname, join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { printedCommand } from '../../base/process/printed-command.ts';
import { type Context, refuse, runGit, tryGit } from '../context.ts';
import { partsOf } from '../git/git-text.ts';
import { gitFault } from '../git/repository.ts';

/** The branch that the person has checked out, the commit where it is, and the one that it moves to. */
interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Moves the branch, the index and the files of the person, who has changed none of these files. git that fails half-way (a full disk, a directory that
 * it may not write) leaves some of them as they will be: then all are put back as they were.
 */
export const moveCheckout = async (context: Context, { branch, from, to }: Move): Promise<void> => {
  const paths = await changedBy(context, from, to);
  const absent = absentAmong(context, [...paths.added, ...paths.others]);
  const merge = ['merge', '--ff-only', '--no-overwrite-ignore', '--quiet', '--no-stat', to];
  const answer = await tryGit(context, merge);
  if (answer.code === 0) return;
  const fault = gitFault(`merge into ${branch}`, answer);
  const [head] = partsOf(await runGit(context, 'read the head', ['rev-parse', 'HEAD']));
  // Another program may have moved the branch meanwhile, or the person changed a file: what they wrote is not put back.
  if (head?.trim() !== from || refusedBefore.test(answer.error)) throw new FaultError(fault);
  const left = await putBack(context, paths, absent);
  if (left.length === 0) throw new FaultError(fault);
  throw refuse('half-merged', `${fault.what}; ${left.slice(0, 3).join(', ')} could not be put back`, {
    hint: `make room, then run \`${printedCommand('git', '-C', context.repository.root, 'restore', '--', ...left.slice(0, 20))}\``,
  });
};

/** What git says before it writes any file. */
const refusedBefore =
  /would be (?:overwritten|removed)|would lose untracked|\.lock': File exists|Not possible to fast-forward/;

/** Paths of the repository that differ: those that only `to` has, and the others. */
interface Paths {
  readonly added: readonly string[];
  readonly others: readonly string[];
}

const changedBy = async (context: Context, from: string, to: string): Promise<Paths> => {
  const names = async (filter: string): Promise<readonly string[]> => {
    const compare = [
      'diff-tree',
      '-r',
      '-z',
      '--no-renames',
      '--name-only',
      `--diff-filter=${filter}`,
      from,
      to,
    ];
    return partsOf(await runGit(context, 'compare the branches', compare));
  };
  return { added: await names('A'), others: await names('a') };
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
  { added, others }: Paths,
  absent: readonly string[],
): Promise<readonly string[]> => {
  const { files, repository } = context;
  const isNew = new Set(added);
  for (const path of absent) {
    const full = join(repository.root, path);
    const kind = files.kind(full);
    if (kind === 'directory') files.removeEmpty(full);
    else if (kind !== null && isNew.has(path)) files.unlink(full);
  }
  const input = others.map((path) => `${path}\0`).join('');
  await tryGit(context, ['checkout-index', '--force', '--quiet', '-z', '--stdin'], { input });
  await tryGit(context, ['update-index', '-q', '--refresh']);
  const different = partsOf((await tryGit(context, ['diff-files', '-z', '--name-only'])).out);
  return [
    ...added.filter((path) => absent.includes(path) && files.kind(join(repository.root, path)) !== null),
    ...others.filter((path) => different.includes(path)),
  ];
};
