import { join } from 'node:path';
import { askGit, type Context, runGit, tryGit } from '../context.ts';
import type { ConflictedFile, Side } from '../merged.ts';
import type { ThreeWay } from './three-way.ts';
import { entriesOf } from './tree-entries.ts';

/**
 * A tree with one side in each conflicting place. A file that git could mark keeps what both sides changed elsewhere in it; any other conflicted
 * file (binary, deleted, a link) is the side's as a whole. So is all below a name that is a file on one side and something else on the other.
 */
export const takeSide = async (
  context: Context,
  merge: ThreeWay & { readonly clean: false },
  side: 'session' | 'task',
): Promise<string> => {
  const directory = join(context.place, 'tmp', `sides-${context.unique()}`);
  context.files.makeDirectory(directory);
  try {
    const lines: string[] = [];
    const gone = `0 ${'0'.repeat(merge.tree.length)}`;
    const isClash = (path: string): boolean =>
      merge.clashes.some((clash) => path === clash.path || path.startsWith(`${clash.path}/`));
    for (const file of merge.files) {
      if (isClash(file.path)) continue;
      const taken = await takenOf(context, file, side, directory);
      lines.push(`${taken === null ? gone : `${taken.mode} ${taken.blob}`}\t${file.path}\0`);
    }
    for (const clash of merge.clashes) {
      const paths = [...(await entriesOf(context, merge.tree, clash.path)).keys(), ...clash.copies];
      const taken = await entriesOf(context, side === 'session' ? merge.ours : merge.theirs, clash.path);
      lines.push(...paths.map((path) => `${gone}\t${path}\0`));
      lines.push(...[...taken].map(([path, entry]) => `${entry}\t${path}\0`));
    }
    const extra = { indexFile: join(directory, 'index') };
    await runGit(context, 'take one side', ['read-tree', merge.tree], extra);
    const input = lines.join('');
    await runGit(context, 'take one side', ['update-index', '-z', '--index-info'], { ...extra, input });
    return await askGit(context, 'take one side', ['write-tree'], extra);
  } finally {
    await context.files.removeTree(directory);
  }
};

const takenOf = async (
  context: Context,
  file: ConflictedFile,
  side: 'session' | 'task',
  directory: string,
): Promise<Side | null> => {
  const { base, session, task, marked } = file;
  const taken = file[side];
  if (taken === null || marked === null || session === null || task === null) return taken;
  const write = async (name: string, version: Side | null): Promise<string> => {
    const path = join(directory, name);
    const read = ['cat-file', 'blob', version?.blob ?? ''];
    context.files.write(
      path,
      version === null ? new Uint8Array() : await runGit(context, 'read a file', read),
    );
    return path;
  };
  const [ours, ancestor, theirs] = [
    await write('ours', session),
    await write('base', base),
    await write('theirs', task),
  ];
  const choose = side === 'session' ? '--ours' : '--theirs';
  const merged = await tryGit(context, ['merge-file', '--quiet', choose, ours, ancestor, theirs]);
  if (merged.code !== 0) return taken;
  const store = ['hash-object', '-w', '--no-filters', ours];
  return { blob: await askGit(context, 'write a file', store), mode: taken.mode };
};
