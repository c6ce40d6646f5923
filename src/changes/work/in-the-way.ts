import { dirname, join } from 'node:path';
import { runGit } from '../context.ts';
import { repositoryPath, workspacePath } from '../files/workspace-path.ts';
import { linesOf, partsOf } from '../git/git-text.ts';
import { findRepository } from '../git/repository.ts';
import { entriesOf } from '../git/tree-entries.ts';
import type { Finished } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { readBranch } from './branch.ts';
import { pathsBetween } from './merge.ts';

/** What a person meets who merges the branch by hand. */
export const obstaclesOf = async (
  session: OpenSession,
): Promise<Omit<Extract<Finished, { how: 'kept' }>, 'how' | 'branch'>> => {
  const { context } = session;
  const found = await findRepository(context.git, context.opening.workspace);
  const { head = null, branch: into = null } = found.kind === 'repository' ? found.repository : {};
  if (head === null) return { into, inTheWay: [], unsaved: [], bringsBack: false };
  const { tip } = await readBranch(context);
  const inTheWay = await ignoredInTheWay(session, head, tip);
  const brought = await pathsBetween(context, session.base, tip);
  const unsaved = (await dirtyPaths(session)).filter((path) => brought.includes(path));
  return { into, inTheWay, unsaved, bringsBack: (await droppedSince(session, head)).length > 0 };
};

/** What the person has taken off their branch since the session began: a merge of the session's commits would bring it back. */
export const droppedSince = async (
  { context, base }: OpenSession,
  head: string,
): Promise<readonly string[]> =>
  linesOf(
    await runGit(context, 'compare the branches', [
      'log',
      '--format=%h %s',
      '--max-count=100',
      `${head}..${base}`,
    ]),
  );

/** Files of the person that `tip` would replace and no commit of theirs holds. Those that git lists as new keep it from merging; others it overwrites. */
export const ignoredInTheWay = async (
  session: OpenSession,
  head: string,
  tip: string,
): Promise<readonly string[]> => {
  const { context, base } = session;
  const { files, repository } = context;
  const brought = await pathsBetween(context, base, tip);
  const held = await entriesOf(context, head);
  const isInTheWay = (path: string): boolean => {
    const full = repositoryPath(repository.prefix, path);
    // A directory of known files goes as git sees fit.
    if (held.has(full) || [...held.keys()].some((known) => known.startsWith(`${full}/`))) return false;
    // A file in place of a directory above it would go as well.
    for (let at = full; at !== '.'; at = dirname(at)) {
      const kind = files.kind(join(repository.root, at));
      if (kind !== null) return !held.has(at) && (kind !== 'directory' || at === full);
    }
    return false;
  };
  const there = brought.filter(isInTheWay);
  if (there.length === 0) return [];
  const listed = await dirtyPaths(session);
  return there.filter((path) => !listed.some((dirty) => dirty === path || dirty.startsWith(`${path}/`)));
};

/** Changed and new files of the person, relative to the workspace. */
export const dirtyPaths = async ({ context }: OpenSession): Promise<readonly string[]> => {
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=dirty',
  ];
  return partsOf(await runGit(context, 'check your files', args)).map((entry) =>
    workspacePath(context.repository.prefix, entry.slice(3)),
  );
};
