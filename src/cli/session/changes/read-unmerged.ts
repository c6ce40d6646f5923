import type { ChangedFile, UnmergedWork } from '../../../../components/ports/viewer-port.ts';
import type { Fault } from '../../../base/fault.ts';
import type { AttemptRecord, ChangesReader } from '../../../changes/reader.ts';
import type { Cli } from '../../cli.ts';
import type { OpenSession } from '../open-session.ts';
import { recordedSessions } from '../read-changes.ts';

/** The unmerged work of a session and of the streams of its flow. A fault: git did not say. */
export const unmergedIn = async (
  { env }: Pick<Cli, 'env'>,
  { world, paths, state }: Pick<OpenSession, 'world' | 'paths' | 'state'>,
): Promise<readonly UnmergedWork[] | Fault> => {
  if (state.tasks.size === 0 || state.changes.isolation === 'shared') return [];
  const sessions = await recordedSessions(paths.workspace, paths.session);
  if (sessions.length === 0) return [];
  const { wireChanges } = await import('../../wire-changes.ts');
  const port = wireChanges(env, world);
  const work: UnmergedWork[] = [];
  for (const each of sessions) {
    const opened = await port.read(paths.workspace, each);
    const part = opened.ok ? await readUnmerged(opened.value) : opened.fault;
    if ('code' in part) return part;
    work.push(...part);
  }
  return work;
};

/** What tasks hold in their worktrees that no merge has brought to the session's branch, by task. A shared workspace holds none. */
export const readUnmerged = async (reader: ChangesReader): Promise<readonly UnmergedWork[] | Fault> => {
  if (reader.isolation === 'shared') return [];
  const attempts = await reader.attempts();
  if (!attempts.ok) return attempts.fault;
  const work: UnmergedWork[] = [];
  for (const [task, { task: name, attempt, state }] of lastOfTasks(attempts.value)) {
    if (state === 'merged' || state === 'undone') continue;
    const ranges = await reader.ranges({ of: 'merge', task: name, attempt });
    if (!ranges.ok) return ranges.fault;
    const files: ChangedFile[] = [];
    for (const range of ranges.value) {
      const changed = await reader.changedFiles(range);
      if (!changed.ok) return changed.fault;
      files.push(...changed.value.map(({ path, added, removed }) => ({ path, added, removed })));
    }
    if (files.length > 0) work.push({ task, files });
  }
  return work;
};

/** The last attempt of each task: it goes on where the ones before it ended. A later iteration has its number in the name. */
const lastOfTasks = (attempts: readonly AttemptRecord[]): ReadonlyMap<string, AttemptRecord> => {
  const orderOf = ({ task, attempt }: AttemptRecord): readonly [number, number] => [
    Number(/@(\d+)$/.exec(task)?.[1] ?? 1),
    attempt,
  ];
  const last = new Map<string, AttemptRecord>();
  for (const each of attempts) {
    const task = each.task.replace(/@\d+$/, '');
    const known = last.get(task);
    const [iteration, number] = orderOf(each);
    const [before, most] = known === undefined ? [0, 0] : orderOf(known);
    if (iteration > before || (iteration === before && number > most)) last.set(task, each);
  }
  return last;
};
