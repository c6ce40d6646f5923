import { join } from 'node:path';
import type { Fault } from '../../../base/fault.ts';
import type { ChangesPort, Undone, Work } from '../../../changes/port.ts';
import type { AttemptRecord } from '../../../changes/reader.ts';
import type { Result } from '../../../changes/result.ts';
import { openJournal, scanJournal } from '../../../observability/journal-file.ts';
import type { Event, EventBody } from '../../../pipeline/event.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import { acquireLock, isLock } from '../../../session/lock.ts';
import type { SessionPaths } from '../../../session/paths.ts';
import type { World } from '../../world.ts';

/** `undo` takes merged work back, `redo` brings it again. */
export type Way = 'undo' | 'redo';

interface Place {
  readonly port: ChangesPort;
  readonly world: Pick<World, 'disk' | 'random' | 'spawn' | 'clock' | 'secrets'>;
  readonly paths: SessionPaths;
  readonly state: SessionState;
}

/** What was taken back or brought again, and the fact in the journal. */
export interface Turned extends Undone {
  readonly event: Event;
}

interface Wanted {
  readonly task: string;
  /** `null`: all that the task has merged. */
  readonly attempt: number | null;
}

/** The work that would be taken back or brought again; a fault that says why there is none. Changes nothing. */
export const findWork = async (
  way: Way,
  { port, paths, state }: Place,
  { task, attempt }: Wanted,
): Promise<Result<Work>> => {
  // The other tasks of a session that goes on start from this work.
  if (state.state !== 'COMPLETE')
    return refuse(
      'not-ended',
      `the session has not ended: its tasks go on from what ${task} has merged`,
      'cancel or retry the task instead',
    );
  const opened = await port.read(paths.workspace, paths.session);
  if (!opened.ok) return opened;
  const attempts = await opened.value.attempts();
  if (!attempts.ok) return attempts;
  const isolated = opened.value.isolation === 'worktree';
  const stands = (record: AttemptRecord): boolean =>
    way === 'redo'
      ? record.state === 'undone'
      : isolated
        ? record.state === 'merged'
        : record.state === 'none' && record.after !== null;
  const parts = namesOf(task, state.iteration)
    .toReversed()
    .map((each) => attempts.value.filter((record) => stands(record) && isPart(record, each, attempt)))
    .find((found) => found.length > 0);
  const name = parts?.[0]?.task;
  const work = { task: name ?? task, attempt, dependants: dependantsOf(state, task) };
  if (isolated && name !== undefined) return { ok: true, value: work };
  const files = filesOf(state, parts ?? []);
  if (files.length > 0) return { ok: true, value: { ...work, files } };
  const what = attempt === null ? task : `attempt ${attempt} of ${task}`;
  if (way === 'redo') return refuse('not-undone', `nothing of ${what} was undone`);
  return isolated
    ? refuse('not-merged', `nothing of ${what} is merged`)
    : refuse('not-recorded', `no files that ${what} changed were recorded`);
};

/** Shared workspace: the files that belong to these attempts, as recorded when they ended. */
const filesOf = ({ changes }: SessionState, attempts: readonly AttemptRecord[]): readonly string[] => [
  ...new Set(attempts.flatMap((each) => changes.attempts.get(`${each.task}/${each.attempt}`)?.files ?? [])),
];

/** Takes the work back or brings it again, as the only holder of the session. */
export const takeBack = async (
  way: Way,
  { port, world, paths }: Place,
  work: Work,
): Promise<Result<Turned>> => {
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  if (!isLock(lock)) return { ok: false, fault: lock };
  try {
    const opened = await port.open({
      workspace: paths.workspace,
      session: paths.session,
      isolation: work.files === undefined ? 'worktree' : 'shared',
      copy: [],
      patches: join(paths.directory, 'patches'),
      secrets: world.secrets,
    });
    if (!opened.ok) return opened;
    const before = await opened.value.attempts();
    const done = await opened.value[way](work);
    const after = await opened.value.attempts();
    // A session that ended needs its worktree no more: its branch holds what is merged.
    await opened.value.close();
    if (!done.ok) return done;
    const { files, patch } = done.value;
    const fact = { task: plainName(work.task), attempts: turnedIn(before, after), files: [...files] };
    const event = record(
      world,
      paths,
      patch === null ? { type: 'changes.redone', ...fact } : { type: 'changes.undone', ...fact, patch },
    );
    return { ok: true, value: { ...done.value, event } };
  } finally {
    lock.release();
  }
};

/** Appends the fact to the journal. The lock is ours, so nobody else writes there. */
const record = ({ disk, clock }: Place['world'], { journal }: SessionPaths, body: EventBody): Event => {
  let seq = 0;
  scanJournal(disk, journal, 0, (events) => {
    seq = events.at(-1)?.seq ?? seq;
  });
  const event: Event = { ...body, seq: seq + 1, at: new Date(clock.now()).toISOString() };
  const writer = openJournal(disk, journal);
  writer.append(event);
  writer.close();
  return event;
};

/** The attempts whose state differs, as the journal names them. */
const turnedIn = (
  before: Result<readonly AttemptRecord[]>,
  after: Result<readonly AttemptRecord[]>,
): string[] => {
  if (!before.ok || !after.ok) return [];
  const was = new Map(before.value.map((each) => [`${each.task}/${each.attempt}`, each.state]));
  return after.value
    .map((each) => [`${each.task}/${each.attempt}`, each.state] as const)
    .flatMap(([name, state]) => (was.get(name) === state ? [] : [name]));
};

const plainName = (name: string): string => name.replace(/@\d+$/, '');

const refuse = (
  code: string,
  what: string,
  hint?: string,
): { readonly ok: false; readonly fault: Fault } => ({
  ok: false,
  fault: { code, what, ...(hint === undefined ? {} : { hint }) },
});

/** Attempts count from 1 in each iteration: later ones have the iteration in the name. */
const namesOf = (task: string, iteration: number): readonly string[] =>
  Array.from({ length: iteration }, (_, index) => (index === 0 ? task : `${task}@${index + 1}`));

const isPart = (record: AttemptRecord, task: string, attempt: number | null): boolean =>
  record.task === task && (attempt === null || record.attempt === attempt);

/** The tasks that wait for this one, directly or not, under each name their attempts may have. */
const dependantsOf = ({ tasks, iteration }: SessionState, task: string): readonly string[] => {
  const found = new Set([task]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { definition } of tasks.values())
      if (definition.blockedBy.some((id) => found.has(id))) found.add(definition.id);
  }
  found.delete(task);
  return [...found].flatMap((id) => namesOf(id, iteration));
};
