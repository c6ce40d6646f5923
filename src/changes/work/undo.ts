import { join } from 'node:path';
import { printedCommand } from '../../base/process/printed-command.ts';
import { type Context, nameOf, refuse, runGit } from '../context.ts';
import { standing, stepMessage } from '../git/history.ts';
import { commitTree } from '../git/snapshot.ts';
import { applyBetween } from '../git/three-way.ts';
import type { Step } from '../memory.ts';
import type { Undone, Work } from '../port.ts';
import type { OpenSession } from '../session-state.ts';
import { readBranch } from './branch.ts';
import { changersOf, conflictedPaths, ownTree, pathsBetween } from './merge.ts';
import { moveTo } from './own-checkout.ts';

/** Takes back, in one commit on the session's branch, what the work merged. Its patch is saved first. */
export const undoMerged = async (session: OpenSession, work: Work): Promise<Undone> => {
  const { context } = session;
  ownTree(session);
  const { tip, steps } = await readBranch(context);
  const stand = standing(steps);
  const mine = stand.filter((step) => isPart(step, work));
  if (mine.length === 0) throw refuse('not-merged', `no changes from ${work.task} are merged`);
  const later = stand.filter(({ task }) => work.dependants.includes(task)).map(({ task }) => task);
  if (later.length > 0) throw dependsOn(work, [...new Set(later)]);
  let tree = tip;
  for (const step of [...mine].reverse()) {
    const parent = step.parents[0] ?? tip;
    const result = await applyBetween(context, step.commit, parent, tree);
    const paths = conflictedPaths(context, result);
    const after = stand.slice(stand.indexOf(step) + 1).filter(({ task }) => task !== work.task);
    if (!result.clean) throw changedSince(work, paths, await changersOf(context, after, new Set(paths)));
    tree = await commitTree(context, result.tree, [tip], 'undo');
  }
  const patch = await savePatch(context, work, tree, tip);
  const message = stepMessage(context.opening.session, `Undo ${work.task}`, 'undone', mine);
  const commit = await commitTree(context, `${tree}^{tree}`, [tip], message, session.identity);
  const files = await pathsBetween(context, tip, commit);
  work.began?.({ patch, files });
  await moveTo(session, commit);
  return { patch, files, commit };
};

/** Brings back what the newest undo of the work took. */
export const redoMerged = async (session: OpenSession, work: Work): Promise<Undone> => {
  const { context } = session;
  ownTree(session);
  const { tip, steps } = await readBranch(context);
  const stand = standing(steps);
  const undone = steps.filter(
    (step) => step.what === 'undone' && isPart(step, work) && !stand.some((each) => isSame(each, step)),
  );
  const newest = undone.at(-1);
  const parent = newest?.parents[0];
  if (newest === undefined || parent === undefined)
    throw refuse('not-undone', `no changes from ${work.task} were undone`);
  const gone = steps.filter(({ task }) => !stand.some((each) => each.task === task)).map(({ task }) => task);
  refuseWithout(work, gone);
  const back = undone.filter(({ commit }) => commit === newest.commit);
  const result = await applyBetween(context, newest.commit, parent, tip);
  if (!result.clean) throw changedSince(work, conflictedPaths(context, result), []);
  const message = stepMessage(context.opening.session, `Redo ${work.task}`, 'redone', back);
  const commit = await commitTree(context, result.tree, [tip], message, session.identity);
  const files = await pathsBetween(context, tip, commit);
  work.began?.({ patch: null, files });
  await moveTo(session, commit);
  return { patch: null, files, commit };
};

/** Whether a step belongs to the work. */
export const isPart = (step: Pick<Step, 'task' | 'attempt'>, { task, attempt }: Work): boolean =>
  step.task === task && (attempt === null || step.attempt === attempt);

const isSame = (a: Step, b: Step): boolean => a.task === b.task && a.attempt === b.attempt;

/** Saves a diff between two commits, for `git apply`; returns the file. */
export const savePatch = async (context: Context, work: Work, from: string, to: string): Promise<string> => {
  const diff = ['diff-tree', '-r', '-p', '--binary', '--full-index', '--no-ext-diff', '--no-textconv'];
  const named = ['--src-prefix=a/', '--dst-prefix=b/', '--no-renames', from, to];
  const bytes = await runGit(context, 'write the patch', [...diff, ...named]);
  const attempt = work.attempt === null ? '' : `-${work.attempt}`;
  const path = join(context.opening.patches, `${work.task}${attempt}-${to.slice(0, 8)}.patch`);
  context.files.makeDirectory(context.opening.patches);
  context.files.write(path, bytes);
  return path;
};

/** The refusal when tasks that are blocked by the work stand. */
export const dependsOn = (work: Work, tasks: readonly string[]): Error =>
  refuse('work-depends', `${tasks.join(', ')} ${tasks.length === 1 ? 'builds' : 'build'} on ${work.task}`, {
    hint: `undo ${tasks.join(', ')} first`,
  });

/** Refuses to bring work back on top of work that is undone. */
export const refuseWithout = (work: Work, undone: readonly string[]): void => {
  const missing = (work.blockers ?? []).filter((task) => undone.includes(task));
  if (missing.length === 0) return;
  const what = `${work.task} builds on ${missing.join(', ')}, which ${missing.length === 1 ? 'was' : 'were'} undone`;
  throw refuse('work-missing', what, { hint: `redo ${missing.join(', ')} first` });
};

/** The refusal when somebody changed the same places since. */
export const changedSince = (work: Work, paths: readonly string[], tasks: readonly string[]): Error => {
  const by = tasks.length === 0 ? '' : ` by ${tasks.join(', ')}`;
  const what = work.attempt === null ? work.task : nameOf({ task: work.task, attempt: work.attempt });
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  // Work that this one builds on cannot be undone before it.
  const first = tasks.filter((task) => work.blockers?.includes(task) !== true);
  const hint =
    first.length > 0
      ? `undo ${first.join(', ')} first`
      : `\`${printedCommand('ralph-tui', 'diff', work.task)}\` shows the changes; edit the files by hand`;
  return refuse(
    'changed-since',
    `${paths.slice(0, 3).join(', ')}${more} ${paths.length === 1 ? 'has' : 'have'} changed since ${what}${by}`,
    {
      hint,
    },
  );
};
