import { readAttempt, readAttempts } from './attempts.ts';
import type { Range, Scope } from './changed-file.ts';
import { askGit, type Context, readRefs, worktreePath } from './context.ts';
import { treesOf } from './git/compare.ts';
import { readHistory } from './git/history.ts';
import { commitTree, recordTree } from './git/snapshot.ts';
import { worktreeAt } from './git/worktrees.ts';
import type { AttemptRecord } from './reader.ts';
import { isOf } from './work/branch.ts';
import { withoutPrepared } from './work/prepared-files.ts';

/** The ranges whose changes belong to the scope, in order. */
export const readRanges = async (context: Context, scope: Scope): Promise<readonly Range[]> => {
  const isShared = context.opening.isolation === 'shared';
  if (scope.of === 'session' && !isShared) {
    const refs = await readRefs(context);
    const from = refs.get(context.names.base);
    const to = refs.get(context.names.branch);
    return from && to && from !== to ? [{ from, to }] : [];
  }
  if (scope.of === 'session') return sessionRange(context, await readAttempts(context));
  const attempts = await attemptsIn(context, scope);
  const last = attempts.at(-1);
  if (last === undefined) return [];
  if (scope.of === 'attempt' || isShared) return attemptRanges(context, attempts);
  return mergeRanges(context, attempts, last);
};

/** In the order of their numbers. */
const attemptsIn = async (
  context: Context,
  scope: Exclude<Scope, { readonly of: 'session' }>,
): Promise<readonly AttemptRecord[]> => {
  if (scope.of !== 'task') return [await readAttempt(context, scope)].filter((each) => each !== null);
  const all = await readAttempts(context);
  return all.filter(({ task }) => task === scope.task).toSorted((a, b) => a.attempt - b.attempt);
};

/**
 * From before each attempt to its end: between two attempts, other tasks and the person may have written. Ranges of which one begins with the files
 * that the one before left are one range. Undone attempts are left out unless all are.
 */
const attemptRanges = async (
  context: Context,
  attempts: readonly AttemptRecord[],
): Promise<readonly Range[]> => {
  const kept = attempts.filter(({ state }) => state !== 'undone');
  const ranges: Range[] = [];
  for (const [at, attempt] of (kept.length === 0 ? attempts : kept).entries()) {
    const to = attempt.after ?? kept[at + 1]?.before ?? (await presentState(context, attempt));
    if (attempt.before === null || to === null) continue;
    const last = ranges.at(-1);
    const [left, found] = last === undefined ? [] : await treesOf(context, [last.to, attempt.before]);
    if (last !== undefined && left === found) ranges[ranges.length - 1] = { from: last.from, to };
    else ranges.push({ from: attempt.before, to });
  }
  return ranges;
};

/**
 * What merges of these attempts brought, and what a merge of the last one would bring: an attempt that continues where another one ended brings its
 * changes, too.
 */
const mergeRanges = async (
  context: Context,
  attempts: readonly AttemptRecord[],
  last: AttemptRecord,
): Promise<readonly Range[]> => {
  const refs = await readRefs(context, last);
  const base = refs.get(context.names.base);
  const tip = refs.get(context.names.branch);
  if (base === undefined || tip === undefined) return [];
  const history = await readHistory(context, base, tip);
  const merges = history.filter(
    (step) => step.what === 'merged' && attempts.some((attempt) => isOf(step, attempt)),
  );
  const ranges = merges.map(({ parents: [from = base], commit: to }) => ({ from, to }));
  if (merges.some((step) => isOf(step, last))) return ranges;
  const names = context.names.of(last);
  const end = refs.get(names.commit) ?? refs.get(names.start);
  if (end === undefined) return ranges;
  // A commit of ours on a place of the branch began there.
  const [parent, ...others] = context.parents.get(end) ?? [];
  const isPlace = others.length === 0 && (parent === base || history.some(({ commit }) => commit === parent));
  const from =
    parent !== undefined && isPlace
      ? parent
      : await askGit(context, 'find where it began', ['merge-base', tip, end]);
  const to = refs.get(names.commit) ?? last.after ?? (await presentState(context, last));
  return to === null ? ranges : [...ranges, { from, to }];
};

/** Tasks that share the workspace may run side by side: their ranges overlap, so the session has one of its own. */
const sessionRange = async (
  context: Context,
  attempts: readonly AttemptRecord[],
): Promise<readonly Range[]> => {
  const refs = await readRefs(context);
  const [from, last] = [refs.get(context.names.first), refs.get(context.names.last)];
  const [some] = attempts;
  if (from === undefined || last === undefined || some === undefined) return [];
  const moved = attempts.some(({ after, state }) => after === null || state === 'undone');
  const to = (moved ? await presentState(context, some) : null) ?? last;
  return [{ from, to }];
};

/** A snapshot of this moment that no ref keeps; `null` when programs of the repository would be needed to take it. */
const presentState = async (context: Context, attempt: AttemptRecord): Promise<string | null> => {
  const isShared = context.opening.isolation === 'shared';
  const tree = isShared ? context.repository : worktreeAt(context, worktreePath(context, attempt));
  if (tree === null) return null;
  const recorded = await recordTree(context, tree);
  const refs = await readRefs(context, attempt);
  const { start, prepared } = context.names.of(attempt);
  const found = { start: refs.get(start), prepared: refs.get(prepared) };
  return commitTree(context, await withoutPrepared(context, found, recorded.tree), [], 'now');
};
