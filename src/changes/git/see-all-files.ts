import { join } from 'node:path';
import { type Context, runGit } from '../context.ts';
import type { OnIndex } from './changed-paths.ts';
import { partsOf } from './git-text.ts';

/**
 * Takes the marks off a copied index that keep git from looking at a file: `--assume-unchanged`, and `--skip-worktree` where the file is there. A person or
 * an agent may have set them, and what an attempt changes would go unrecorded.
 */
export const seeAllFiles = async (context: Context, on: OnIndex): Promise<void> => {
  const { files } = context;
  if (files.kind(on.indexFile) === null) return;
  const entries = partsOf(await runGit(context, 'look for marked files', ['ls-files', '-v', '-z'], on));
  const assumed = entries.filter((entry) => /^[a-z] /.test(entry));
  const skipped = entries.filter((entry) => /^[Ss] /.test(entry)).map((entry) => entry.slice(2));
  await unmark(
    context,
    on,
    '--no-assume-unchanged',
    assumed.map((entry) => entry.slice(2)),
  );
  const present = skipped.filter((path) => files.kind(join(on.in.root, path)) !== null);
  await unmark(context, on, '--no-skip-worktree', present);
};

const unmark = async (
  context: Context,
  on: OnIndex,
  option: string,
  paths: readonly string[],
): Promise<void> => {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join('');
  await runGit(context, 'look at marked files', ['update-index', option, '-z', '--stdin'], { ...on, input });
};
