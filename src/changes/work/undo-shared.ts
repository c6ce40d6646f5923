import { readAttempts, readTimes } from '../attempts.ts';
import { type Context, refuse } from '../context.ts';
import { repositoryPath, workspacePath } from '../files/workspace-path.ts';
import { recordTree } from '../git/snapshot.ts';
import { entriesOf } from '../git/tree-entries.ts';
import type { Undone, Work } from '../port.ts';
import type { AttemptRecord } from '../reader.ts';
import type { OpenSession } from '../session-state.ts';
import { pathsBetween } from './merge.ts';
import { moveFiles, planMoves, treeWith } from './move-files.ts';
import { changedSince, dependsOn, isPart, savePatch } from './undo.ts';

/** Puts back, in the shared workspace, the files that the work changed. Their patch is saved first. */
export const undoShared = async (session: OpenSession, work: Work): Promise<Undone> => {
  const { context } = session;
  const all = await readAttempts(context);
  const mine = all.filter((each) => isPart(each, work) && each.state !== 'undone').filter(isRecorded);
  if (mine.length === 0) throw refuse('no-snapshot', `nothing of ${work.task} was recorded`);
  const others = all.filter((each) => each.task !== work.task && each.state !== 'undone').filter(isRecorded);
  const later = others.filter(({ task }) => work.dependants.includes(task)).map(({ task }) => task);
  if (later.length > 0) throw dependsOn(work, [...new Set(later)]);
  if (work.files === undefined) await refuseBeside(context, work, mine, others);
  const steps = [...mine].reverse().map(({ before, after }) => ({ from: after, to: before }));
  const refs = Object.fromEntries(mine.map((each) => [context.names.of(each).undone, each.after]));
  return move(session, work, steps, others, refs, true);
};

/** Writes undone files again. */
export const redoShared = async (session: OpenSession, work: Work): Promise<Undone> => {
  const { context } = session;
  const all = (await readAttempts(context)).filter(isRecorded);
  const mine = all.filter((each) => isPart(each, work) && each.state === 'undone');
  if (mine.length === 0) throw refuse('not-undone', `nothing of ${work.task} was undone`);
  const steps = mine.map(({ before, after }) => ({ from: before, to: after }));
  const refs = Object.fromEntries(mine.map((each) => [context.names.of(each).undone, null]));
  return move(session, work, steps, all, refs, false);
};

type Recorded = AttemptRecord & { readonly before: string; readonly after: string };

const isRecorded = (attempt: AttemptRecord): attempt is Recorded =>
  attempt.before !== null && attempt.after !== null;

const move = async (
  session: OpenSession,
  work: Work,
  steps: readonly { readonly from: string; readonly to: string }[],
  others: readonly Recorded[],
  refs: Readonly<Record<string, string | null>>,
  saves: boolean,
): Promise<Undone> => {
  const { context } = session;
  const { prefix } = context.repository;
  const { tree } = await recordTree(context, session.watch, context.repository);
  const states = [];
  for (const { from, to } of steps)
    states.push({ from: await entriesOf(context, from), to: await entriesOf(context, to) });
  const wanted = work.files && new Set(work.files.map((path) => repositoryPath(prefix, path)));
  const plan = planMoves(await entriesOf(context, tree), states, (path) => wanted?.has(path) ?? true);
  if (!plan.ok) {
    const changed = plan.changed.map((path) => workspacePath(prefix, path));
    throw changedSince(work, changed, await changers(context, work, others, new Set(changed)));
  }
  const target = await treeWith(context, tree, plan.targets);
  const patch = saves ? await savePatch(context, work, target, tree) : null;
  const files = await moveFiles(context, tree, target, refs);
  return { patch, files: files.map((path) => workspacePath(prefix, path)), commit: null };
};

const changers = async (
  context: Context,
  work: Work,
  others: readonly Recorded[],
  paths: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const tasks = new Set<string>();
  for (const { task, before, after } of others)
    if (task !== work.task && (await pathsBetween(context, before, after)).some((path) => paths.has(path)))
      tasks.add(task);
  return [...tasks];
};

/** Two tasks that ran at once share what changed: the snapshots alone do not tell whose it was. */
const refuseBeside = async (
  context: Context,
  work: Work,
  mine: readonly Recorded[],
  others: readonly Recorded[],
): Promise<void> => {
  const times = await readTimes(context);
  const span = (each: Recorded): readonly [number, number] => {
    const names = context.names.of(each);
    return [times.get(names.before) ?? 0, times.get(names.after) ?? 0];
  };
  const beside = others.filter((other) =>
    mine.some((each) => {
      const [[from, to], [begin, end]] = [span(each), span(other)];
      return begin < to && from < end;
    }),
  );
  if (beside.length === 0) return;
  const tasks = [...new Set(beside.map(({ task }) => task))].join(', ');
  throw refuse(
    'ran-beside',
    `${tasks} ran beside ${work.task} in the same files, so its changes cannot be told apart`,
    {
      hint: 'apply the part you want by hand',
    },
  );
};
