import { type Context, runGit } from '../context.ts';
import { linesOf, partsOf, textOf } from './git-text.ts';

/** One form of diff, whatever the configuration says. No program of the repository runs. */
export const asThemselves = ['--no-ext-diff', '--no-textconv', '-M'];

/** The questions that are asked for each attempt: a process each stays for them. */
export const comparisons = {
  files: ['diff-tree', '-r', '-z', '--raw', '--numstat', ...asThemselves],
  names: ['diff-tree', '-r', '-z', '--name-only', '--no-renames'],
} as const;

/** The trees that commits hold. */
export const treesOf = async (context: Context, commits: readonly string[]): Promise<readonly string[]> => {
  const { trees } = context;
  const unknown = commits.filter((commit) => !trees.has(commit));
  if (unknown.length > 0) {
    const args = ['rev-parse', ...unknown.map((commit) => `${commit}^{tree}`)];
    const read = linesOf(await runGit(context, 'read commits', args));
    for (const [at, commit] of unknown.entries()) trees.set(commit, read[at] ?? '');
  }
  return commits.map((commit) => trees.get(commit) ?? '');
};

/** What `git diff-tree -z` prints of two commits. Equal ones are not compared. */
export const compare = async (
  context: Context,
  what: keyof typeof comparisons,
  from: string,
  to: string,
): Promise<readonly string[]> => {
  if (from === to) return [];
  const [old = '', fresh = ''] = await treesOf(context, [from, to]);
  if (old === fresh) return [];
  const known = await compareTrees(context, what, old, fresh);
  return known ?? partsOf(await runGit(context, 'compare', [...comparisons[what], from, to]));
};

/** `null` when there is no answer: git says why when it is asked in the usual way. */
const compareTrees = async (
  context: Context,
  what: keyof typeof comparisons,
  old: string,
  fresh: string,
): Promise<readonly string[] | null> => {
  // git repeats a line that names no objects, and then has said all before it.
  const sign = `end ${context.unique()}\n`;
  const { code, out } = await context.staying[what].ask(`${old} ${fresh}\n${sign}`, sign);
  // It names the trees that it found, and is silent of a missing one.
  const head = old.length + fresh.length + 2;
  const isFound = code === 0 && textOf(out.subarray(0, head)) === `${old} ${fresh}\n`;
  return isFound ? partsOf(out.subarray(head)) : null;
};
