import { dirname, join } from 'node:path';
import { type Context, runGit, writeRefs } from '../context.ts';
import { temporaryName } from '../files/work-files.ts';
import { linesOf, partsOf } from '../git/git-text.ts';
import { commitTree, recordTree } from '../git/snapshot.ts';
import { type Entries, entriesOf } from '../git/tree-entries.ts';

/** What putting files back comes to: the new entry of each path (`null`: none), or the paths that changed since. */
type Moves =
  | { readonly ok: true; readonly targets: ReadonlyMap<string, string | null> }
  | { readonly ok: false; readonly changed: readonly string[] };

/** Steps from one state of files to another, one after the other, over what is there now. A path that a step left is at its end already. */
export const planMoves = (
  now: Entries,
  steps: readonly { readonly from: Entries; readonly to: Entries }[],
  isWanted: (path: string) => boolean,
): Moves => {
  const targets = new Map<string, string | null>();
  const changed = new Set<string>();
  for (const { from, to } of steps)
    for (const path of new Set([...from.keys(), ...to.keys()])) {
      const [old, fresh] = [from.get(path) ?? null, to.get(path) ?? null];
      if (old === fresh || !isWanted(path)) continue;
      const present = targets.has(path) ? (targets.get(path) ?? null) : (now.get(path) ?? null);
      // The files of a submodule are another repository's.
      const isSubmodule = [old, fresh].some((entry) => entry?.startsWith('160000 '));
      if (present === old && !isSubmodule) targets.set(path, fresh);
      else if (present !== fresh) changed.add(path);
    }
  return changed.size > 0 ? { ok: false, changed: [...changed].sort() } : { ok: true, targets };
};

/** The tree with these entries replaced. */
export const treeWith = async (
  context: Context,
  tree: string,
  targets: ReadonlyMap<string, string | null>,
): Promise<string> => {
  const indexFile = temporaryIndex(context);
  try {
    await runGit(context, 'put files together', ['read-tree', tree], { indexFile });
    const none = `0 ${'0'.repeat(tree.length)}`;
    const input = [...targets].map(([path, entry]) => `${entry ?? none}\t${path}\0`).join('');
    await runGit(context, 'put files together', ['update-index', '-z', '--index-info'], { indexFile, input });
    return linesOf(await runGit(context, 'put files together', ['write-tree'], { indexFile }))[0] ?? '';
  } finally {
    context.files.unlink(indexFile);
  }
};

/**
 * Moves the files of the shared workspace from one tree to another and then writes `refs`. The intent is a ref, so `finishMove` completes a move
 * that was cut off. Each file is replaced in one step. The index is not touched.
 */
export const moveFiles = async (
  context: Context,
  from: string,
  to: string,
  refs: Readonly<Record<string, string | null>>,
  began: () => void,
): Promise<readonly string[]> => {
  const parents = [await commitTree(context, from, [], 'from'), await commitTree(context, to, [], 'to')];
  const after = Object.entries(refs).map(([ref, value]) => `${ref} ${value ?? '-'}`);
  const intent = await commitTree(context, to, parents, after.join('\n'));
  began();
  await writeRefs(context, { [context.names.moving]: intent });
  return writeFiles(context, await entriesOf(context, from), await entriesOf(context, from), to, refs);
};

/** Completes a move that a crash cut off. A file that somebody changed in between stays as it is. */
export const finishMove = async (context: Context, intent: string | undefined): Promise<void> => {
  if (intent === undefined) return;
  const show = ['log', '-1', '--format=%P%n%B', intent];
  const [parents = '', ...lines] = linesOf(await runGit(context, 'read what was cut off', show));
  const [from = '', to = ''] = parents.split(' ');
  const refs = lines
    .map((line) => line.split(' '))
    .map(([ref = '', value = '']) => [ref, value === '-' ? null : value]);
  const { tree } = await recordTree(context, context.repository);
  const now = await entriesOf(context, tree);
  for (const path of await pathsOfMove(context, from, to)) removeTemporary(context, dirname(path));
  await writeFiles(context, now, await entriesOf(context, from), to, Object.fromEntries(refs));
};

const pathsOfMove = async (context: Context, from: string, to: string): Promise<readonly string[]> =>
  partsOf(
    await runGit(context, 'compare', ['diff-tree', '-r', '--name-only', '--no-renames', '-z', from, to]),
  );

/** Copies that were not yet renamed: the workspace and our directory are on different file systems. */
const removeTemporary = ({ files, repository }: Context, directory: string): void => {
  for (const name of files.list(join(repository.root, directory)))
    if (temporaryName.test(name)) files.unlink(join(repository.root, directory, name));
};

const writeFiles = async (
  context: Context,
  now: Entries,
  from: Entries,
  to: string,
  refs: Readonly<Record<string, string | null>>,
): Promise<readonly string[]> => {
  const { files, repository } = context;
  const wanted = await entriesOf(context, to);
  const paths = [...new Set([...from.keys(), ...wanted.keys()])].filter(
    (path) => from.get(path) !== wanted.get(path) && now.get(path) === from.get(path),
  );
  const gone = paths.filter((path) => !wanted.has(path));
  const fresh = paths.filter((path) => wanted.has(path));
  const staged = await checkOut(context, to, fresh);
  for (const path of gone) {
    files.unlink(join(repository.root, path));
    for (let up = dirname(path); up !== '.' && files.removeEmpty(join(repository.root, up)); )
      up = dirname(up);
  }
  for (const path of fresh)
    files.replace(
      join(staged, path),
      join(repository.root, path),
      executes(from.get(path), wanted.get(path)),
    );
  await writeRefs(context, { ...refs, [context.names.moving]: null });
  await files.removeTree(staged);
  return paths.sort();
};

/** What the move changes about the permission to execute a file; `null`: nothing. */
const executes = (old = '', fresh = ''): boolean | null => {
  const [before, after] = [old.slice(0, 6), fresh.slice(0, 6)];
  return before === after ? null : after === '100755';
};

/** Writes files of a tree into a directory of ours, with the line ends and filters of the repository. */
const checkOut = async (context: Context, tree: string, paths: readonly string[]): Promise<string> => {
  const staged = join(context.place, 'tmp', `files-${context.unique()}`);
  const indexFile = temporaryIndex(context);
  context.files.makeDirectory(staged);
  try {
    await runGit(context, 'read the files', ['read-tree', tree], { indexFile });
    const args = ['checkout-index', `--prefix=${staged}/`, '-z', '--stdin'];
    await runGit(context, 'write the files', args, {
      indexFile,
      input: paths.map((path) => `${path}\0`).join(''),
    });
  } finally {
    context.files.unlink(indexFile);
  }
  return staged;
};

const temporaryIndex = (context: Context): string => {
  context.files.makeDirectory(join(context.place, 'tmp'));
  return join(context.place, 'tmp', `index-${context.unique()}`);
};
