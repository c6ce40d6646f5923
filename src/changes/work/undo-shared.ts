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
import { changedSince, dependsOn, isPart, refuseWithout, savePatch } from './undo.ts';

/** Puts back, in the shared workspace, the files that the work changed. Their patch is saved first. */
export const undoShared = async (session: OpenSession, work: Work): Promise<Undone> => {
  const { context } = session;
  const all = await readAttempts(context);
  const mine = all.filter((each) => isPart(each, work) && each.state !== 'undone').filter(isRecorded);
  if (mine.length === 0) throw refuse('no-snapshot', `no changes from ${work.task} were recorded`);
  const others = all.filter((each) => each.task !== work.task && each.state !== 'undone').filter(isRecorded);
  const later = others.filter(({ task }) => work.dependants.includes(task)).map(({ task }) => task);
  if (later.length > 0) throw dependsOn(work, [...new Set(later)]);
  if (work.files === undefined) await refuseBeside(context, work, mine, others);
  const steps = [...mine].reverse().map(({ before, after }) => ({ from: after, to: before }));
  const refs = Object.fromEntries(mine.map((each) => [context.names.of(each).undone, each.after]));
  return move(session, work, { steps, mine, others, refs, saves: true });
};

/** Writes undone files again. */
export const redoShared = async (session: OpenSession, work: Work): Promise<Undone> => {
  const { context } = session;
  const all = (await readAttempts(context)).filter(isRecorded);
  const mine = all.filter((each) => isPart(each, work) && each.state === 'undone');
  if (mine.length === 0) throw refuse('not-undone', `no changes from ${work.task} were undone`);
  const standing = new Set(all.filter(({ state }) => state !== 'undone').map(({ task }) => task));
  refuseWithout(
    work,
    all.filter(({ task }) => !standing.has(task)).map(({ task }) => task),
  );
  const steps = mine.map(({ before, after }) => ({ from: before, to: after }));
  const refs = Object.fromEntries(mine.map((each) => [context.names.of(each).undone, null]));
  return move(session, work, { steps, mine, others: all, refs, saves: false });
};

type Recorded = AttemptRecord & { readonly before: string; readonly after: string };

const isRecorded = (attempt: AttemptRecord): attempt is Recorded =>
  attempt.before !== null && attempt.after !== null;

interface Moving {
  readonly steps: readonly { readonly from: string; readonly to: string }[];
  readonly mine: readonly Recorded[];
  readonly others: readonly Recorded[];
  readonly refs: Readonly<Record<string, string | null>>;
  readonly saves: boolean;
}

const move = async (
  session: OpenSession,
  work: Work,
  { steps, mine, others, refs, saves }: Moving,
): Promise<Undone> => {
  const { context } = session;
  const { prefix } = context.repository;
  const { tree } = await recordTree(context, context.repository);
  const states = [];
  for (const { from, to } of steps)
    states.push({ from: await entriesOf(context, from), to: await entriesOf(context, to) });
  const wanted = work.files && new Set(work.files.map((path) => repositoryPath(prefix, path)));
  const plan = planMoves(await entriesOf(context, tree), states, (path) => wanted?.has(path) ?? true);
  if (!plan.ok) {
    const changed = plan.changed.map((path) => workspacePath(prefix, path));
    const last = saves ? mine.at(-1) : undefined;
    throw changedSince(
      work,
      changed,
      last ? await changersSince(context, last, others, new Set(changed)) : [],
    );
  }
  const target = await treeWith(context, tree, plan.targets);
  const patch = saves ? await savePatch(context, work, target, tree) : null;
  const moved = [...plan.targets.keys()].map((path) => workspacePath(prefix, path)).sort();
  const files = await moveFiles(context, tree, target, refs, () => work.began?.({ patch, files: moved }));
  return { patch, files: files.map((path) => workspacePath(prefix, path)), commit: null };
};

/** Tasks that changed one of the paths after the attempt. Times are whole seconds: within one, what an attempt found tells. */
const changersSince = async (
  context: Context,
  last: Recorded,
  others: readonly Recorded[],
  paths: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const times = await readTimes(context);
  const began = (each: Recorded): number => times.get(context.names.of(each).before) ?? 0;
  const ended = times.get(context.names.of(last).after) ?? 0;
  const left = await entriesOf(context, last.after);
  const tasks = new Set<string>();
  for (const other of others) {
    if (other.task === last.task || began(other) < ended) continue;
    const changed = await pathsBetween(context, other.before, other.after);
    const found = await entriesOf(context, other.before);
    const isLater = (path: string): boolean => {
      const full = repositoryPath(context.repository.prefix, path);
      return paths.has(path) && (began(other) > ended || found.get(full) === left.get(full));
    };
    if (changed.some(isLater)) tasks.add(other.task);
  }
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
    `${tasks} ran at the same time as ${work.task} in the same files, so its changes cannot be separated`,
    {
      hint: 'undo the part you want by hand',
    },
  );
};
