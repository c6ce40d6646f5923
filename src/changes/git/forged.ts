import { type Context, refuse, runGit } from '../context.ts';
import type { StayingGit } from '../git.ts';
import { linesOf } from './git-text.ts';
import { readObjects } from './object-reader.ts';
import { passOnAll } from './own-objects.ts';

/**
 * git reads an object without hashing it, and writes none that is there already: a file that somebody planted in `.git/objects` decides what is read under
 * its name. Everything that is judged or lands is therefore hashed here first, as git reads it. This costs no process of its own and reads new objects only.
 */
export const refuseForgedFiles = async (context: Context, commit: string): Promise<void> => {
  const genuine = await genuineIn(context);
  await walk(context, { reader: context.staying.objects, genuine }, [[commit, '']]);
};

/** The same for all commits that the session's branch would get with this one. */
export const refuseForgedCommits = async (context: Context, tip: string): Promise<void> => {
  const genuine = await genuineIn(context);
  const commits = await commitsTo(context, tip, genuine);
  await walk(
    context,
    { reader: context.staying.objects, genuine },
    commits.map((commit) => [commit, '']),
  );
};

/** All files of a commit, also those that were hashed before: somebody may have replaced an old object since. */
export const refuseForgedTree = async (context: Context, commit: string): Promise<void> => {
  const genuine = new Set<string>();
  await walk(context, { reader: context.staying.objects, genuine }, [[commit, '']]);
  const known = await genuineIn(context);
  for (const id of genuine) known.add(id);
};

/** All that the person gets with the branch, as their own git reads it: without the directory of the session. */
export const refuseForgedBranch = async (context: Context, base: string, tip: string): Promise<void> => {
  if (base === tip) return;
  passOnAll(context);
  const reader = context.staying.stored;
  const genuine = await namesIn(context, reader, base);
  const out = await runGit(context, 'list its commits', ['rev-list', tip, '--not', base]);
  await walk(
    context,
    { reader, genuine },
    linesOf(out).map((commit) => [commit, '']),
  );
};

/** How objects are read, and those that were found to hold what their names say. */
interface View {
  readonly reader: StayingGit;
  readonly genuine: Set<string>;
}

type Named = readonly [id: string, path: string];

/** Objects that the session's branch named before its first work are the person's own: its trees are hashed here, its files where they are shown (`refuseForgedTree`). */
const genuineIn = async (context: Context): Promise<Set<string>> => {
  const { genuine, own, names, repository, staying } = context;
  const began = own.refs?.get(names.branch) ?? repository.head;
  genuine.ids ??= began === null ? new Set() : await namesIn(context, staying.objects, began);
  return genuine.ids;
};

/** The names of a commit and of all that its trees name. */
const namesIn = async (context: Context, reader: StayingGit, commit: string): Promise<Set<string>> => {
  const names = new Set<string>();
  await walk(context, { reader, genuine: names }, [[commit, '']], false);
  return names;
};

/** Reads what the commits name, level by level, without what is known to be genuine. `files`: hashes files too. */
const walk = async (
  context: Context,
  { reader, genuine }: View,
  from: readonly Named[],
  files = true,
): Promise<void> => {
  const seen = new Set<string>();
  const fresh = (named: readonly Named[]): readonly Named[] =>
    named.filter(([id]) => !genuine.has(id) && !seen.has(id) && seen.add(id));
  for (let level = fresh(from); level.length > 0; ) {
    const read = await readObjects(
      context,
      reader,
      level.map(([id]) => id),
    );
    const next: Named[] = [];
    for (const [id, path] of level) {
      const object = read.get(id);
      if (object === undefined) {
        seen.delete(id);
        continue;
      }
      if (object.name !== id) throw forged(id, path);
      if (object.type === 'commit') next.push([treeOf(object.content), path]);
      if (object.type !== 'tree') continue;
      for (const { isTree, name, id: inner } of entriesIn(object.content, id.length / 2, genuine))
        if (files || isTree) next.push([inner, path === '' ? name : `${path}/${name}`]);
        else seen.add(inner);
    }
    level = fresh(next);
  }
  for (const id of seen) genuine.add(id);
};

const forged = (id: string, path: string): Error =>
  refuse(
    'forged-object',
    `the object ${id.slice(0, 12)} of the repository${path === '' ? '' : ` (${path})`} does not hold what its name says: another program has written or damaged it`,
    { hint: '`git fsck` shows it; remove it or fetch the true one from another clone, then try again' },
  );

const treeOf = (commit: Uint8Array | null): string =>
  /^tree ([0-9a-f]+)\n/.exec(new TextDecoder('latin1').decode(commit ?? undefined))?.[1] ?? '';

/** The entries of a tree that are not known, without commits of submodules. `size`: bytes of a name. */
const entriesIn = (
  tree: Uint8Array | null,
  size: number,
  known: ReadonlySet<string>,
): readonly { readonly isTree: boolean; readonly name: string; readonly id: string }[] => {
  const bytes = Buffer.from(tree ?? []);
  const entries = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    if (end < 0) break;
    const id = bytes.toString('hex', end + 1, end + 1 + size);
    const [mode = '', ...name] = known.has(id) ? [] : bytes.toString('utf8', at, end).split(' ');
    if (mode !== '' && mode !== '160000')
      entries.push({ isTree: mode === '40000', name: name.join(' '), id });
    at = end + 1 + size;
  }
  return entries;
};

/** The commits that are new with this one, by what this program knows of those that it made; git is asked for those of an agent. */
const commitsTo = async (
  context: Context,
  tip: string,
  genuine: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const { parents, own, names } = context;
  const found = new Set<string>();
  const others: string[] = [];
  for (const open = [tip]; open.length > 0; ) {
    const commit = open.pop() ?? '';
    if (genuine.has(commit) || found.has(commit)) continue;
    const known = parents.get(commit);
    if (known === undefined) others.push(commit);
    else {
      found.add(commit);
      open.push(...known);
    }
  }
  if (others.length === 0) return [...found];
  const had = [own.refs?.get(names.base), own.refs?.get(names.branch)].filter((ref) => ref !== undefined);
  const listed = await runGit(context, 'list its commits', ['rev-list', ...others, '--not', ...had]);
  return [...found, ...linesOf(listed)];
};
