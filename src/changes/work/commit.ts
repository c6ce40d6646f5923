import { nameOf, readRefs, refuse, tryGit, type WorkTree, writeRefs } from '../context.ts';
import { commitTree, recordTree } from '../git/snapshot.ts';
import type { Attempt, Committed, Snapshot } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { treesOf } from './merge.ts';
import { worktreeOf } from './prepare.ts';

/** Records the files of the attempt's work tree, or of the shared workspace, in a private ref. */
export const takeSnapshot = async (
  session: OpenSession,
  attempt: Attempt,
  moment: 'before' | 'after',
): Promise<Snapshot> => {
  const { context } = session;
  const { tree, problems } = await recordTree(context, session.watch, treeOfAttempt(session, attempt));
  const refs = await readRefs(context, attempt);
  const names = context.names.of(attempt);
  const parent = refs.get(moment === 'after' ? names.before : names.start) ?? context.repository.head;
  const message = `${nameOf(attempt)}: ${moment}`;
  const commit = await commitTree(context, tree, parent === null ? [] : [parent], message);
  await writeRefs(context, { [names[moment]]: commit });
  return { commit, problems };
};

/** Where the attempt works. */
export const treeOfAttempt = ({ context, own }: OpenSession, attempt: Attempt): WorkTree =>
  own === null ? context.repository : worktreeOf(context, attempt);

/** Commits the attempt's `after` snapshot on its branch. Commits that an agent made there stay below it. */
export const commitAttempt = async (
  session: OpenSession,
  attempt: Attempt,
  message: string,
): Promise<Committed> => {
  const { context } = session;
  const names = context.names.of(attempt);
  let refs = await readRefs(context, attempt);
  const done = refs.get(names.commit);
  if (done !== undefined) return { commit: done, empty: done === refs.get(names.start) };
  if (!refs.has(names.after)) {
    await takeSnapshot(session, attempt, 'after');
    refs = await readRefs(context, attempt);
  }
  const start = refs.get(names.start);
  const after = refs.get(names.after);
  if (start === undefined || after === undefined)
    throw refuse('no-snapshot', `${nameOf(attempt)} has no snapshot to commit`);
  const parent = await parentOf(session, refs.get(names.branch), start);
  const [wanted = '', present] = await treesOf(context, [after, parent]);
  const same = wanted === present;
  const commit = same ? parent : await commitTree(context, wanted, [parent], message, session.identity);
  await writeRefs(context, { [names.commit]: commit, [names.branch]: commit });
  return { commit, empty: commit === start };
};

/** The tip of the attempt's branch when it continues `start`, else `start`: an agent may have moved the branch anywhere. */
const parentOf = async (
  { context }: OpenSession,
  tip: string | undefined,
  start: string,
): Promise<string> => {
  if (tip === undefined || tip === start) return start;
  const answer = await tryGit(context, ['merge-base', '--is-ancestor', start, tip]);
  return answer.code === 0 ? tip : start;
};
