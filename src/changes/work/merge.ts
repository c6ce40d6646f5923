import { FaultError, faultSentence } from '../../base/fault.ts';
import { type Context, nameOf, refuse, tryGit, type WorkTree } from '../context.ts';
import { workspacePath } from '../files/workspace-path.ts';
import { compare } from '../git/compare.ts';
import { refuseForgedCommits } from '../git/forged.ts';
import { rememberStep, standing, stepMessage } from '../git/history.ts';
import { shortBranch } from '../git/ref-names.ts';
import { commitTree } from '../git/snapshot.ts';
import { mergeTrees, type ThreeWay } from '../git/three-way.ts';
import type { Step } from '../memory.ts';
import type { Conflict, ConflictedFile, Merged } from '../merged.ts';
import { moveBranch, movedCode } from '../own-refs.ts';
import type { Attempt, Train } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { type Branch, isOf, readBranch } from './branch.ts';
import { moveTo, showTip } from './own-checkout.ts';

/** Merges what the attempt committed onto the session's branch, or makes the merge for a train. */
export const mergeAttempt = async (
  session: OpenSession,
  attempt: Attempt,
  train?: Train,
): Promise<Merged> => {
  const { context } = session;
  ownTree(session);
  const changed = await session.watch.changed();
  if (changed !== null)
    return { kind: 'refused', reason: configurationSentence(changed.what), unaccepted: changed.state };
  const branch = await readBranch(context, attempt);
  const commit = branch.refs.get(context.names.of(attempt).commit);
  if (commit === undefined) return { kind: 'refused', reason: `${nameOf(attempt)} is not committed yet.` };
  const done = standing(branch.steps).find((step) => isOf(step, attempt));
  if (done?.parents[1] === commit) return merged(context, done.commit, done.parents[0] ?? branch.base);
  if (branch.steps.findLast((step) => isOf(step, attempt))?.what === 'undone')
    return { kind: 'refused', reason: `${nameOf(attempt)} was undone: redo it instead of merging it again.` };
  const onto = train?.onto ?? branch.tip;
  // An attempt that began where an earlier one ended may add nothing to that, but that is not merged yet.
  const nothing = commit === branch.refs.get(context.names.of(attempt).start);
  if (nothing && (await isBelow(context, commit, onto)))
    return { kind: 'merged', commit: onto, before: onto, files: [] };
  const result = await mergeTrees(context, onto, commit);
  if (!result.clean)
    return { kind: 'conflict', conflict: await conflictOf(context, attempt, branch, result.files) };
  const subject = `Merge ${nameOf(attempt)}`;
  const message = stepMessage(context.opening.session, subject, 'merged', [attempt]);
  const next = await commitTree(context, result.tree, [onto, commit], message, session.identity);
  await refuseForgedCommits(context, next);
  const answer = await merged(context, next, onto);
  if (train === undefined) {
    await landMerge(session, attempt, { before: onto, commit: next });
    await showTip(session);
  }
  return answer;
};

/** Moves the session's branch to a merge that began at its tip, but not yet the session's own worktree. */
export const landMerge = async (
  session: OpenSession,
  attempt: Attempt,
  { before, commit }: { readonly before: string; readonly commit: string },
): Promise<null> => {
  const { context } = session;
  const { refs, tip } = await readBranch(context, attempt);
  if (tip === commit) return null;
  if (tip !== before)
    throw refuse(
      movedCode,
      `${shortBranch(context.names.branch)} moved while ${nameOf(attempt)} was verified`,
    );
  const own = refs.get(context.names.of(attempt).commit) ?? '';
  await moveBranch(context, commit);
  rememberStep(context, tip, { commit, parents: [tip, own], what: 'merged', ...attempt });
  return null;
};

const isBelow = async (context: Context, commit: string, tip: string): Promise<boolean> =>
  (await tryGit(context, ['merge-base', '--is-ancestor', commit, tip])).code === 0;

/** Takes back the merge of the attempt, which must be the newest step. */
export const takeBackMerge = async (session: OpenSession, attempt: Attempt): Promise<null> => {
  const { context } = session;
  const { tip, steps } = await readBranch(context, attempt);
  const last = steps.at(-1);
  const parent = last?.parents[0];
  if (last?.what !== 'merged' || last.commit !== tip || parent === undefined || !isOf(last, attempt)) {
    if (!standing(steps).some((step) => isOf(step, attempt))) return null;
    throw refuse('not-newest', `${nameOf(attempt)} is not the newest merge`, { hint: 'use undo' });
  }
  await moveTo(session, parent);
  return null;
};

/** The session's own worktree; a fault in shared isolation. */
export const ownTree = ({ own }: OpenSession): WorkTree => {
  if (own === null) throw refuse('shared', 'tasks share the workspace, so there is nothing to merge');
  return own;
};

/** Runs a merge: what forbids it is a refusal with its sentence. */
export const asMerged = async (run: () => Promise<Merged>): Promise<Merged> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FaultError)
      return {
        kind: 'refused',
        reason: faultSentence(error.fault),
        ...(error.fault.code === 'markers-left' ? { unresolved: true } : {}),
        ...(error.fault.state === undefined ? {} : { unaccepted: error.fault.state }),
      };
    throw error;
  }
};

/** The workspace-relative paths that differ between two commits. */
export const pathsBetween = async (
  context: Context,
  from: string,
  to: string,
): Promise<readonly string[]> => {
  const paths = await compare(context, 'names', from, to);
  return paths.map((path) => workspacePath(context.repository.prefix, path));
};

const merged = async (context: Context, commit: string, before: string): Promise<Merged> => ({
  kind: 'merged',
  commit,
  before,
  files: await pathsBetween(context, before, commit),
});

const conflictOf = async (
  context: Context,
  attempt: Attempt,
  { steps }: Branch,
  files: readonly ConflictedFile[],
): Promise<Conflict> => {
  const paths = new Set(files.map(({ path }) => workspacePath(context.repository.prefix, path)));
  const against = await changersOf(context, standing(steps), paths);
  const where = files.map((file) => ({ ...file, path: workspacePath(context.repository.prefix, file.path) }));
  return { task: attempt.task, attempt: attempt.attempt, files: where, against };
};

/** Tasks whose merges changed one of these files, in the order of the merges. */
export const changersOf = async (
  context: Context,
  steps: readonly Step[],
  paths: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const tasks: string[] = [];
  for (const step of steps) {
    if (tasks.includes(step.task) || step.parents[0] === undefined) continue;
    const changed = await pathsBetween(context, step.parents[0], step.commit);
    if (changed.some((path) => paths.has(path))) tasks.push(step.task);
  }
  return tasks;
};

const configurationSentence = (changed: string): string =>
  `Nothing was merged: ${changed} since the session began, and git would act on it. Review it, then accept the change.`;

/** The tree of a three-way merge that must be clean; its conflicted paths otherwise. */
export const conflictedPaths = (context: Context, merge: ThreeWay): readonly string[] =>
  merge.clean ? [] : merge.files.map(({ path }) => workspacePath(context.repository.prefix, path));
