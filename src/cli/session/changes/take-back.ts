import { join } from 'node:path';
import type { Fault } from '../../../base/fault.ts';
import { printedCommand } from '../../../base/process/printed-command.ts';
import type { ChangesPort, Undone, Work } from '../../../changes/port.ts';
import type { AttemptRecord } from '../../../changes/reader.ts';
import type { Result } from '../../../changes/result.ts';
import { openJournal, scanJournal } from '../../../observability/journal-file.ts';
import type { Turning } from '../../../pipeline/changes/changes-state.ts';
import { whyNoTurn } from '../../../pipeline/changes/undoable.ts';
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

/** What was taken back or brought again, and the facts in the journal. */
interface Turned extends Undone {
  readonly events: readonly Event[];
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
  const why = whyNoTurn(state, task);
  if (why !== null) return refuse('not-ended', why);
  const opened = await port.read(paths.workspace, paths.session);
  if (!opened.ok) return opened;
  const attempts = await opened.value.attempts();
  if (!attempts.ok) return attempts;
  const isolated = opened.value.isolation === 'worktree';
  const cut = cutOff(state, way, task);
  const stands = (record: AttemptRecord): boolean =>
    // git may have done it already.
    cut !== null ||
    (way === 'redo'
      ? record.state === 'undone'
      : isolated
        ? record.state === 'merged'
        : record.state === 'none' && record.after !== null);
  const parts = namesOf(task, state.iteration)
    .toReversed()
    .map((each) => attempts.value.filter((record) => stands(record) && isPart(record, each, attempt)))
    .find((found) => found.length > 0);
  const name = parts?.[0]?.task;
  const work = { task: name ?? task, attempt, ...around(state, task) };
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

/** Takes the work back or brings it again, as the only holder of the session. One that was cut off is completed. */
export const takeBack = async (
  way: Way,
  { port, world, paths, state }: Place,
  work: Work,
): Promise<Result<Turned>> => {
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  if (!isLock(lock)) {
    const stop = printedCommand('ralph-tui', 'stop', '--session', paths.session);
    const undo = printedCommand('ralph-tui', way, plainName(work.task), '--session', paths.session);
    const resume = printedCommand('ralph-tui', 'resume', paths.session);
    return {
      ok: false,
      fault: {
        ...lock,
        hint: `\`${stop}\` stops it once what runs has ended; then \`${undo}\`, and \`${resume}\` continues it`,
      },
    };
  }
  const events: Event[] = [];
  const write = (body: EventBody): void => void events.push(record(world, paths, body));
  const task = plainName(work.task);
  const began: Work['began'] = ({ files, patch }) =>
    write({
      type: 'undo.started',
      way,
      task,
      files: [...files],
      ...(patch === null ? {} : { patch }),
      ...(work.attempt === null ? {} : { attempt: work.attempt }),
    });
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
    const turned = await opened.value[way]({ ...work, began });
    const done = turned.ok ? turned : (completed(way, state, work, before) ?? turned);
    const after = await opened.value.attempts();
    // A session that ended needs its worktree no more: its branch holds what is merged.
    if (state.state === 'COMPLETE') await opened.value.close();
    if (!done.ok) return done;
    const { files, patch } = done.value;
    const fact = { task, attempts: turnedIn(state, after, work), files: [...files] };
    write(patch === null ? { type: 'changes.redone', ...fact } : { type: 'changes.undone', ...fact, patch });
    return { ok: true, value: { ...done.value, events } };
  } finally {
    lock.release();
  }
};

/** What opening the session completed: git did it before the program ended, and the journal does not know. `null`: nothing. */
const completed = (
  way: Way,
  state: SessionState,
  work: Work,
  now: Result<readonly AttemptRecord[]>,
): Result<Undone> | null => {
  const cut = cutOff(state, way, plainName(work.task));
  if (cut === null || turnedIn(state, now, work).length === 0) return null;
  return { ok: true, value: { patch: cut.patch, files: cut.files, commit: null } };
};

/** An undo or redo of the task that the journal has no end of. */
const cutOff = ({ changes: { turning } }: SessionState, way: Way, task: string): Turning | null =>
  turning?.way === way && turning.task === task ? turning : null;

/** Appends a fact to the journal. The lock is ours, so nobody else writes there. */
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

/** The attempts of the task of which git says otherwise than the journal, as the journal names them. */
const turnedIn = (
  { changes }: SessionState,
  now: Result<readonly AttemptRecord[]>,
  work: Pick<Work, 'task'>,
): string[] =>
  !now.ok
    ? []
    : now.value
        .filter(({ task }) => plainName(task) === plainName(work.task))
        .map((each) => ({ name: `${each.task}/${each.attempt}`, isUndone: each.state === 'undone' }))
        .filter(({ name, isUndone }) => isUndone !== ((changes.attempts.get(name)?.undone ?? null) !== null))
        .map(({ name }) => name);

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

/** The tasks that wait for this one and those that it waits for, directly or not, under each name their attempts may have. */
const around = ({ tasks, iteration }: SessionState, task: string): Pick<Work, 'dependants' | 'blockers'> => {
  const all = [...tasks.values()].map(({ definition }) => definition);
  const named = (ids: ReadonlySet<string>): readonly string[] =>
    [...ids].filter((id) => id !== task).flatMap((id) => namesOf(id, iteration));
  return {
    dependants: named(
      reached(task, (id) => all.filter(({ blockedBy }) => blockedBy.includes(id)).map((each) => each.id)),
    ),
    blockers: named(reached(task, (id) => tasks.get(id)?.definition.blockedBy ?? [])),
  };
};

const reached = (from: string, next: (id: string) => readonly string[]): ReadonlySet<string> => {
  const found = new Set([from]);
  for (const id of found) for (const each of next(id)) found.add(each);
  return found;
};
