import { join } from 'node:path';
import { createConfigurationWatch } from './configuration.ts';
import { type ChangesPorts, type Context, refuse, repositoryPlace, runGit } from './context.ts';
import { linesOf } from './git/git-text.ts';
import { sessionDirectory, shortBranch } from './git/ref-names.ts';
import { commitTree, recordTree } from './git/snapshot.ts';
import { discardWorktree, registrations, worktreeAt } from './git/worktrees.ts';
import { createReadingContext } from './open.ts';
import type { Orphan } from './port.ts';
import { isClean } from './work/prepare.ts';

/** What sessions that are not live left in this repository and in our directory of worktrees. */
export const findOrphans = async (
  ports: ChangesPorts,
  workspace: string,
  live: readonly string[],
): Promise<readonly Orphan[]> => {
  const context = await createReadingContext(ports, workspace, 'none');
  const place = repositoryPlace(ports, context.repository);
  const registered = registrations(context).filter(({ path }) => path.startsWith(`${place}/`));
  const orphans: Orphan[] = [];
  for (const session of context.files.list(place))
    for (const name of context.files.list(join(place, session))) {
      const path = join(place, session, name);
      if (live.includes(session) || name === 'tmp') continue;
      const whole = worktreeAt(context, path) !== null;
      const what = whole ? `The worktree ${path}` : `The directory ${path}`;
      const sentence = `${what} is left from session ${session}, which does not run.`;
      orphans.push({ kind: whole ? 'worktree' : 'directory', session, name: path, sentence });
    }
  for (const { path } of registered) {
    const session = path.slice(place.length + 1).split('/')[0] ?? '';
    if (context.files.kind(path) !== null || live.includes(session)) continue;
    const sentence = `git still lists the worktree ${path} of session ${session}, which is gone.`;
    orphans.push({ kind: 'registration', session, name: path, sentence });
  }
  return [...orphans, ...(await leftBranches(context, live, orphans))];
};

/** Branches of attempts whose worktree is gone. Their snapshots stay in `refs/ralph/`. */
const leftBranches = async (
  context: Context,
  live: readonly string[],
  others: readonly Orphan[],
): Promise<readonly Orphan[]> => {
  const list = ['for-each-ref', '--format=%(refname)', 'refs/heads/ralph-attempt/'];
  return linesOf(await runGit(context, 'list branches', list)).flatMap((ref) => {
    const session = ref.split('/')[3] ?? '';
    if (
      live.includes(session) ||
      others.some((other) => other.session === session && other.kind === 'worktree')
    )
      return [];
    const name = shortBranch(ref);
    return [
      {
        kind: 'branch',
        session,
        name,
        sentence: `The branch ${name} is left from session ${session}.`,
      } as const,
    ];
  });
};

/** Removes one orphan. Work that no commit holds is recorded first. */
export const clearOrphan = async (
  ports: ChangesPorts,
  workspace: string,
  orphan: Orphan,
): Promise<{ readonly keptIn: string | null }> => {
  const context = await createReadingContext(ports, workspace, orphan.session);
  const keep = `refs/ralph/kept/${orphan.session}/${context.unique()}`;
  if (orphan.kind === 'branch') {
    const ref = `refs/heads/${orphan.name}`;
    if (!orphan.name.startsWith('ralph-attempt/'))
      throw refuse('not-ours', `${orphan.name} is not a branch of an attempt`);
    const tip = linesOf(await runGit(context, 'read the branch', ['rev-parse', '--verify', ref]))[0] ?? '';
    await runGit(context, 'remove the branch', ['update-ref', '--stdin'], {
      input: `update ${keep} ${tip}\ndelete ${ref} ${tip}\n`,
    });
    return { keptIn: keep };
  }
  const place = repositoryPlace(ports, context.repository);
  if (!orphan.name.startsWith(`${place}/`))
    throw refuse('not-ours', `${orphan.name} is not in our directory of worktrees`);
  const tree = worktreeAt(context, orphan.name);
  const isOwn = orphan.name.endsWith(`/${sessionDirectory}`);
  const kept = tree !== null && !isOwn && !(await isClean(context, tree)) ? keep : null;
  if (tree !== null && kept !== null) {
    const recorded = await recordTree(context, createConfigurationWatch(context), tree);
    const commit = await commitTree(context, recorded.tree, [], `left in ${orphan.name}`);
    await runGit(context, 'keep its files', ['update-ref', kept, commit]);
  }
  await discardWorktree(context, orphan.name);
  context.files.removeEmpty(join(orphan.name, '..'));
  return { keptIn: kept };
};
