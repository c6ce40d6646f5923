import { FaultError } from '../../base/fault.ts';
import { type Context, tryGit } from '../context.ts';
import type { ConflictedFile, Side } from '../merged.ts';
import { treesOf } from './compare.ts';
import { partsOf } from './git-text.ts';
import { gitFault } from './repository.ts';
import { commitTree } from './snapshot.ts';
import { entriesOf } from './tree-entries.ts';

/** A merge in the object store: no work tree, index or branch is involved, so nothing has to be cleaned up. */
export type ThreeWay =
  | { readonly clean: true; readonly tree: string }
  /** `tree` holds conflict markers. Paths are relative to the top of the repository. */
  | {
      readonly clean: false;
      readonly tree: string;
      readonly ours: string;
      readonly theirs: string;
      readonly files: readonly ConflictedFile[];
      readonly clashes: readonly Clash[];
    };

/** One name for two kinds of entry, such as a file and a directory. git keeps one side under the name, and writes the other beside it. */
interface Clash {
  readonly path: string;
  /** Where `tree` holds the other side: the path, `~`, and the name of its commit. */
  readonly copies: readonly string[];
}

/** Merges two commits from their merge base. One that continues the other is the merge. */
export const mergeTrees = async (context: Context, ours: string, theirs: string): Promise<ThreeWay> => {
  if (context.parents.get(theirs)?.includes(ours) === true)
    return { clean: true, tree: (await treesOf(context, [theirs]))[0] ?? '' };
  const answer = await tryGit(context, ['merge-tree', '--write-tree', '--no-messages', '-z', ours, theirs]);
  const [tree = '', ...entries] = partsOf(answer.out);
  if (answer.code === 0) return { clean: true, tree: tree.trim() };
  if (answer.code !== 1 || tree === '') throw new FaultError(gitFault('merge', answer));
  const { files, clashes } = await conflictsIn(context, { tree, names: [ours, theirs] }, entries);
  return { clean: false, tree, ours, theirs, files, clashes };
};

/** Applies to `ours` what is between two commits. git 2.38 takes no merge base, so the three trees get a history of their own. */
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

/** The path without what git adds to the copy of one side: `d~main`, or `d~main_0` when that is taken. `null`: it is no copy. */
export const pathOfCopy = (path: string, names: readonly string[]): string | null => {
  for (const name of names) {
    const end = `~${name.replaceAll('/', '_')}`;
    const plain = path.replace(/_\d+$/, '');
    if (path.endsWith(end)) return path.slice(0, -end.length);
    if (plain.endsWith(end)) return plain.slice(0, -end.length);
  }
  return null;
};

const conflictsIn = async (
  context: Context,
  { tree, names }: { readonly tree: string; readonly names: readonly string[] },
  entries: readonly string[],
): Promise<{ readonly files: readonly ConflictedFile[]; readonly clashes: readonly Clash[] }> => {
  const stages = new Map<string, Map<number, Side>>();
  const copies = new Map<string, string[]>();
  for (const entry of entries) {
    const match = /^(\d{6}) ([0-9a-f]+) ([123])\t([\s\S]+)$/.exec(entry);
    if (!match) continue;
    const [, mode = '', blob = '', stage = '', written = ''] = match;
    const copied = pathOfCopy(written, names);
    const path = copied ?? written;
    if (copied !== null) copies.set(copied, [...(copies.get(copied) ?? []), written]);
    const sides = stages.get(path) ?? new Map<number, Side>();
    stages.set(path, sides.set(Number(stage), { blob, mode }));
  }
  const merged = await entriesOf(context, tree);
  const files = [...stages].map(([path, sides]) => {
    const session = sides.get(2) ?? null;
    const task = sides.get(3) ?? null;
    const [mode, blob] = merged.get(path)?.split(' ') ?? [];
    const isSide = blob === session?.blob || blob === task?.blob;
    const marked = mode === undefined || blob === undefined || isSide ? null : { mode, blob };
    return { path, base: sides.get(1) ?? null, session, task, marked };
  });
  return { files, clashes: [...copies].map(([path, written]) => ({ path, copies: written })) };
};
