import { join } from 'node:path';
import {
  type Context,
  nameOf,
  readRefs,
  refuse,
  runGit,
  tryGit,
  type WorkTree,
  writeRefs,
} from '../context.ts';
import { partsOf } from '../git/git-text.ts';
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
  if (session.own === null) await refuseTooMuch(context);
  const { tree, problems } = await recordTree(context, session.watch, treeOfAttempt(session, attempt));
  const refs = await readRefs(context, attempt);
  const names = context.names.of(attempt);
  const parent = refs.get(moment === 'after' ? names.before : names.start) ?? context.repository.head;
  const message = `${nameOf(attempt)}: ${moment}`;
  const commit = await commitTree(context, tree, parent === null ? [] : [parent], message);
  const { first, last } = context.names;
  const inShared = refs.has(first) ? { [last]: commit } : { [first]: commit, [last]: commit };
  await writeRefs(context, { [names[moment]]: commit, ...(session.own === null ? inShared : {}) });
  return { commit, problems };
};

/** New files that a snapshot of the person's own workspace may copy into the object store. */
const mostNew = { files: 20_000, bytes: 256 * 1024 * 1024 };

/** Stops before git copies a data set or an installation that nobody told it to ignore. */
const refuseTooMuch = async (context: Context): Promise<void> => {
  const list = ['ls-files', '--others', '--exclude-standard', '-z'];
  const fresh = partsOf(await runGit(context, 'list new files', list));
  const bytes =
    fresh.length > mostNew.files
      ? 0
      : fresh.reduce((sum, path) => sum + context.files.size(join(context.repository.root, path)), 0);
  if (fresh.length <= mostNew.files && bytes <= mostNew.bytes) return;
  const what = `${fresh.length} new files (${Math.round(bytes / 1024 / 1024)} MB) that git does not ignore are too many to record`;
  throw refuse('too-much', bytes === 0 ? what.replace(/ \(.*?\)/, '') : what, {
    hint: 'name them in .gitignore, or commit them',
  });
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
