import { join } from 'node:path';
import { type Context, runGit, tryGit } from '../context.ts';
import { partsOf, textOf } from '../git/git-text.ts';

/** A path of the repository that two commits have differently. */
export interface Moved {
  readonly path: string;
  /** Only the later one has it. */
  readonly isNew: boolean;
  /** Its blob in the later one; `null` where that has no file there. */
  readonly blob: string | null;
}

export const movedBetween = async (context: Context, from: string, to: string): Promise<readonly Moved[]> => {
  const compare = ['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to];
  const parts = partsOf(await runGit(context, 'compare the branches', compare));
  return parts.flatMap((part, at) => {
    const raw = /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) ([A-Z])$/.exec(part);
    const path = parts[at + 1];
    if (raw === null || path === undefined) return [];
    const [, mode = '', blob = '', letter = ''] = raw;
    return [{ path, isNew: letter === 'A', blob: mode.startsWith('1') && mode !== '160000' ? blob : null }];
  });
};

/**
 * Those among changed paths that git had begun to bring to the later commit: what is there now is gone, or is that commit's, or its beginning. Another
 * content is somebody else's, whatever git says of its failure, and is not touched.
 */
export const begunAmong = async (context: Context, changed: readonly Moved[]): Promise<readonly Moved[]> => {
  const begun: Moved[] = [];
  for (const each of changed) if (await isBegun(context, each)) begun.push(each);
  return begun;
};

const isBegun = async (context: Context, { path, blob }: Moved): Promise<boolean> => {
  const { files, repository } = context;
  const full = join(repository.root, path);
  const kind = files.kind(full);
  if (kind === null) return true;
  if (blob === null || (kind !== 'file' && kind !== 'symlink')) return false;
  if (kind === 'symlink')
    return files.linkTarget(full) === textOf((await tryGit(context, ['cat-file', 'blob', blob])).out);
  const { out } = await tryGit(context, ['cat-file', '--filters', `--path=${path}`, blob]);
  const size = files.size(full);
  return size === 0 || (size <= out.length && files.includes(full, out.subarray(0, size)));
};
