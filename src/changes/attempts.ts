import { type Context, readRefs, runGit, worktreePath } from './context.ts';
import { linesOf } from './git/git-text.ts';
import { readHistory, standing } from './git/history.ts';
import { worktreeAt } from './git/worktrees.ts';
import type { Attempt } from './port.ts';
import type { AttemptRecord } from './reader.ts';
import { isOf } from './work/branch.ts';

/** Attempts with a snapshot or a worktree, by time. */
export const readAttempts = async (context: Context): Promise<readonly AttemptRecord[]> => {
  const refs = await readRefs(context);
  const order = await readTimes(context);
  const recordOf = await recordsIn(context, refs);
  const keys = new Map(
    [...refs.keys()].flatMap((ref) => {
      const found = context.names.parse(ref);
      return found ? [[`${found.attempt.task} ${found.attempt.attempt}`, found.attempt] as const] : [];
    }),
  );
  const records = [...keys.values()].map(recordOf);
  // In a worktree `before` is the commit that the attempt began at, of any age.
  const moment = context.opening.isolation === 'worktree' ? 'after' : 'before';
  const began = (record: AttemptRecord): number =>
    order.get(context.names.of(record)[moment]) ?? Number.POSITIVE_INFINITY;
  return records.sort((a, b) => began(a) - began(b) || a.task.localeCompare(b.task) || a.attempt - b.attempt);
};

/** One of them, or `null`. */
export const readAttempt = async (context: Context, attempt: Attempt): Promise<AttemptRecord | null> => {
  const refs = await readRefs(context, attempt);
  const isKnown = [...refs.keys()].some((ref) => context.names.parse(ref) !== null);
  return isKnown ? (await recordsIn(context, refs))(attempt) : null;
};

/** Gives the record of an attempt whose refs are among these. */
const recordsIn = async (
  context: Context,
  refs: ReadonlyMap<string, string>,
): Promise<(attempt: Attempt) => AttemptRecord> => {
  const base = refs.get(context.names.base);
  const tip = refs.get(context.names.branch);
  const steps = base && tip ? await readHistory(context, base, tip) : [];
  const stand = standing(steps);
  return (attempt) => {
    const names = context.names.of(attempt);
    const path = worktreePath(context, attempt);
    const merged = stand.some((step) => isOf(step, attempt));
    const wasMerged = steps.some((step) => isOf(step, attempt));
    const state = merged
      ? 'merged'
      : wasMerged || refs.has(names.undone)
        ? 'undone'
        : refs.has(names.commit)
          ? 'committed'
          : 'none';
    return {
      ...attempt,
      before: refs.get(names.before) ?? null,
      after: refs.get(names.after) ?? null,
      state,
      directory: worktreeAt(context, path) === null ? null : path,
    };
  };
};

/** When each ref of the session's snapshots was written, in seconds. */
export const readTimes = async (context: Context): Promise<ReadonlyMap<string, number>> => {
  const format = ['for-each-ref', '--format=%(creatordate:unix) %(refname)', context.names.all[0] ?? ''];
  const lines = linesOf(await runGit(context, 'list its refs', format));
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), Number.parseInt(line, 10)]));
};
