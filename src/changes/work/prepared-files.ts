import { type Context, runGit } from '../context.ts';
import { partsOf } from '../git/git-text.ts';
import { pathsBetween } from './merge.ts';
import { treeWith } from './move-files.ts';

/**
 * The tree without what `worktree.setup` made and nothing changed since: those files are as the attempt found them in its repository. What is shown,
 * checked, reviewed and merged of the attempt is then the difference from `start`.
 */
export const withoutPrepared = async (
  context: Context,
  { start, prepared }: { readonly start: string | undefined; readonly prepared: string | undefined },
  tree: string,
): Promise<string> => {
  if (start === undefined || prepared === undefined) return tree;
  const touched = new Set(await pathsBetween(context, prepared, tree));
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', start, prepared];
  const parts = partsOf(await runGit(context, 'compare', args));
  const targets = new Map<string, string | null>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', blob = ''] = /^:(\d{6}) \d{6} ([0-9a-f]+) /.exec(parts[at] ?? '') ?? [];
    const path = parts[at + 1] ?? '';
    if (!touched.has(path)) targets.set(path, mode === '000000' ? null : `${mode} ${blob}`);
  }
  return targets.size === 0 ? tree : treeWith(context, tree, targets);
};
