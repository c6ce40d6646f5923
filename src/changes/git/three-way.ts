import { join } from 'node:path';
import { FaultError } from '../../base/fault.ts';
import { askGit, type Context, runGit, tryGit } from '../context.ts';
import type { ConflictedFile, Side } from '../merged.ts';
import { partsOf } from './git-text.ts';
import { gitFault } from './repository.ts';
import { commitTree } from './snapshot.ts';

/** A merge in the object store: no work tree, index or branch is involved, so nothing has to be cleaned up. */
export type ThreeWay =
  | { readonly clean: true; readonly tree: string }
  /** `tree` holds conflict markers. Paths are relative to the top of the repository. */
  | { readonly clean: false; readonly tree: string; readonly files: readonly ConflictedFile[] };

/** Merges two commits from their merge base. */
export const mergeTrees = async (context: Context, ours: string, theirs: string): Promise<ThreeWay> => {
  const answer = await tryGit(context, ['merge-tree', '--write-tree', '--no-messages', '-z', ours, theirs]);
  const [tree = '', ...entries] = partsOf(answer.out);
  if (answer.code === 0) return { clean: true, tree: tree.trim() };
  if (answer.code !== 1 || tree === '') throw new FaultError(gitFault('merge', answer));
  return { clean: false, tree, files: await conflictsIn(context, tree, entries) };
};

/** Applies to `ours` what lies between two commits. git 2.38 takes no merge base, so the three trees get a history of their own. */
export const applyBetween = async (
  context: Context,
  from: string,
  to: string,
  ours: string,
): Promise<ThreeWay> => {
  const base = await commitTree(context, `${from}^{tree}`, [], 'base');
  const [left, right] = await Promise.all([
    commitTree(context, `${ours}^{tree}`, [base], 'ours'),
    commitTree(context, `${to}^{tree}`, [base], 'theirs'),
  ]);
  return mergeTrees(context, left, right);
};

const conflictsIn = async (
  context: Context,
  tree: string,
  entries: readonly string[],
): Promise<readonly ConflictedFile[]> => {
  const stages = new Map<string, Map<number, Side>>();
  for (const entry of entries) {
    const match = /^(\d{6}) ([0-9a-f]+) ([123])\t([\s\S]+)$/.exec(entry);
    if (!match) continue;
    const [, mode = '', blob = '', stage = '', path = ''] = match;
    const sides = stages.get(path) ?? new Map<number, Side>();
    stages.set(path, sides.set(Number(stage), { blob, mode }));
  }
  const listed = await runGit(context, 'read the merge', ['ls-tree', '-r', '-z', '--full-tree', tree]);
  const marked = new Map<string, Side>();
  for (const line of partsOf(listed)) {
    const match = /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line);
    if (match?.[3] !== undefined && stages.has(match[3]))
      marked.set(match[3], { mode: match[1] ?? '', blob: match[2] ?? '' });
  }
  return [...stages].map(([path, sides]) => {
    const session = sides.get(2) ?? null;
    const task = sides.get(3) ?? null;
    const both = marked.get(path);
    const isMarked = both !== undefined && both.blob !== session?.blob && both.blob !== task?.blob;
    return { path, base: sides.get(1) ?? null, session, task, marked: isMarked ? both : null };
  });
};

/**
 * A tree with one side in each conflicting place. A file that git could mark keeps what both sides changed elsewhere in it; any other conflicted
 * file (binary, deleted, a link) is the side's as a whole.
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
    for (const file of merge.files) {
      const taken = await takenOf(context, file, side, directory);
      const entry = taken === null ? `0 ${'0'.repeat(merge.tree.length)}` : `${taken.mode} ${taken.blob}`;
      lines.push(`${entry}\t${file.path}\0`);
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
