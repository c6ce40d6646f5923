import { basename, dirname, join } from 'node:path';
import { readAttempts } from './attempts.ts';
import {
  type ChangesPorts,
  type Context,
  readRefs,
  refuse,
  repositoryPlace,
  runGit,
  tryGit,
  type WorkTree,
  writeRefs,
} from './context.ts';
import { createReadingContext } from './create-context.ts';
import { freeSlot } from './files/slots.ts';
import { treesOf } from './git/compare.ts';
import { linesOf } from './git/git-text.ts';
import { refuseLoss } from './git/nested.ts';
import { objectsName, ownObjects } from './git/own-objects.ts';
import { sessionDirectory, shortBranch } from './git/ref-names.ts';
import { commitTree, recordTree } from './git/snapshot.ts';
import { discardWorktree, registrations, removeWhatIsAside, worktreeAt } from './git/worktrees.ts';
import { forgetTip } from './own-refs.ts';
import type { Orphan } from './port.ts';
import { checkTreeName } from './work/check-tree.ts';
import { leaveObjects } from './work/leave-objects.ts';

/** Finds leftovers of sessions that are not live, in this repository and in our directory of worktrees. */
export const findOrphans = async (
  ports: ChangesPorts,
  workspace: string,
  live: readonly string[],
): Promise<readonly Orphan[]> => {
  const context = await createReadingContext(ports, workspace, 'none');
  const place = repositoryPlace(ports, context.repository);
  const registered = registrations(context).filter(({ path }) => path.startsWith(`${place}/`));
  // Nothing in there counts any more.
  removeWhatIsAside(context);
  const orphans: Orphan[] = [];
  for (const session of context.files.list(place)) {
    const names = context.files.list(join(place, session)).filter((name) => name !== 'tmp');
    for (const name of names) {
      const path = join(place, session, name);
      // Its objects go with the last of the others.
      if (isLive(live, session) || (name === objectsName && names.length > 1)) continue;
      const whole = worktreeAt(context, path) !== null;
      const what = whole ? `The worktree ${path}` : `The directory ${path}`;
      const sentence = `${what} is left over from session ${session}, which is not running.`;
      orphans.push({ kind: whole ? 'worktree' : 'directory', session, name: path, sentence });
    }
  }
  for (const { path } of registered) {
    const session = path.slice(place.length + 1).split('/')[0] ?? '';
    if (context.files.kind(path) !== null || isLive(live, session)) continue;
    const sentence = `git still lists the worktree ${path} of session ${session}, but its directory no longer exists.`;
    orphans.push({ kind: 'registration', session, name: path, sentence });
  }
  const all = [...orphans, ...(await leftBranches(context, live, orphans))];
  return [...all, ...(await leftRefs(context, live, all))];
};

const keptName = 'kept';

/** The snapshots of sessions of which nothing else is left. */
const leftRefs = async (
  context: Context,
  live: readonly string[],
  others: readonly Orphan[],
): Promise<readonly Orphan[]> => {
  const refs = linesOf(
    await runGit(context, 'list refs', ['for-each-ref', '--format=%(refname)', 'refs/ralph/']),
  );
  const counts = new Map<string, number>();
  for (const session of refs.map((ref) => ref.split('/')[2] ?? ''))
    counts.set(session, (counts.get(session) ?? 0) + 1);
  const gone = [...counts].filter(
    ([session]) =>
      session !== keptName && !isLive(live, session) && !others.some((other) => other.session === session),
  );
  return gone.map(([session, count]) => ({
    kind: 'refs',
    session,
    name: `refs/ralph/${session}`,
    sentence: `${count === 1 ? 'One snapshot ref is' : `${count} snapshot refs are`} left over from session ${session}, which no longer exists.`,
  }));
};

/** A stream of a flow has refs and a directory of its own: `<session>+<issue>`. */
const isLive = (live: readonly string[], session: string): boolean =>
  live.includes(session.split('+')[0] ?? session);

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
      isLive(live, session) ||
      others.some((other) => other.session === session && other.kind === 'worktree')
    )
      return [];
    const name = shortBranch(ref);
    return [
      {
        kind: 'branch',
        session,
        name,
        sentence: `The branch ${name} is left over from session ${session}.`,
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
  const keep = `refs/ralph/${keptName}/${orphan.session}/${context.unique()}`;
  if (orphan.kind === 'branch') return clearBranch(context, orphan, keep);
  if (orphan.kind === 'refs') return clearRefs(context);
  const place = repositoryPlace(ports, context.repository);
  if (!orphan.name.startsWith(`${place}/`))
    throw refuse('not-ours', `${orphan.name} is not in ralph-tui's worktree directory`);
  const tree = worktreeAt(context, orphan.name);
  const name = basename(orphan.name);
  const isOwn = name === sessionDirectory || checkTreeName.test(name);
  const keptIn = tree === null || isOwn ? null : await keepWork(context, tree, keep);
  if (name !== objectsName) await discardWorktree(context, orphan.name);
  freeSlot(context, orphan.name);
  await leaveObjectsIn(context, dirname(orphan.name));
  context.files.removeEmpty(dirname(orphan.name));
  return { keptIn };
};

/** What a killed session wrote becomes the repository's once nothing else of it is left there. */
const leaveObjectsIn = async (context: Context, place: string): Promise<void> => {
  const { files, repository } = context;
  if (files.list(place).some((name) => name !== objectsName && name !== 'tmp')) return;
  await leaveObjects({ ...context, objects: ownObjects(context, repository, place) }, true);
};

/** Deletes the snapshots of a session. What an attempt in a worktree left and no branch holds is kept. */
const clearRefs = async (context: Context): Promise<{ readonly keptIn: string | null }> => {
  const { names, opening } = context;
  const refs = await readRefs(context);
  const wasIsolated = [...refs.keys()].some((ref) => names.parse(ref)?.part === 'start');
  const attempts = wasIsolated ? await readAttempts(context) : [];
  const place = `refs/ralph/${keptName}/${opening.session}`;
  const changes: Record<string, string | null> = {};
  for (const ref of refs.keys()) if (ref.startsWith('refs/ralph/')) changes[ref] = null;
  for (const each of attempts) {
    const { start } = names.of(each);
    const began = refs.get(start);
    if (each.state === 'merged' || each.after === null || began === undefined) continue;
    const [before, after] = await treesOf(context, [began, each.after]);
    if (before !== after) changes[`${place}/${names.directoryOf(each)}`] = each.after;
  }
  await writeRefs(context, changes);
  forgetTip(context);
  context.staying.refs.end();
  return { keptIn: Object.values(changes).some((to) => to !== null) ? place : null };
};

const clearBranch = async (
  context: Context,
  { name }: Orphan,
  keep: string,
): Promise<{ readonly keptIn: string }> => {
  const ref = `refs/heads/${name}`;
  if (!name.startsWith('ralph-attempt/')) throw refuse('not-ours', `${name} is not a branch of an attempt`);
  const tip = linesOf(await runGit(context, 'read the branch', ['rev-parse', '--verify', ref]))[0] ?? '';
  await runGit(context, 'remove the branch', ['update-ref', '--stdin'], {
    input: `update ${keep} ${tip}\ndelete ${ref} ${tip}\n`,
  });
  return { keptIn: keep };
};

/** Records in a ref what the head of the work tree does not hold. Returns the ref, or `null` when there is nothing. */
const keepWork = async (context: Context, tree: WorkTree, ref: string): Promise<string | null> => {
  const recorded = await recordTree(context, tree, context.names.branch);
  refuseLoss(tree.root, recorded);
  const head = await tryGit(context, ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'], { in: tree });
  if (linesOf(head.out)[0] === recorded.tree) return null;
  const commit = await commitTree(context, recorded.tree, [], `left in ${tree.root}`);
  await runGit(context, 'keep its files', ['update-ref', ref, commit]);
  return ref;
};
