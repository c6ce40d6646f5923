import { type Fault, FaultError } from '../../base/fault.ts';
import type { SessionChanges, Undone, Work } from '../../changes/port.ts';
import type { AttemptRecord, ChangesReader } from '../../changes/reader.ts';
import type { Result } from '../../changes/result.ts';
import type { Turning, Way } from '../../pipeline/changes/changes-state.ts';
import { whyNoTurn } from '../../pipeline/changes/undoable.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';

export interface Wanted {
  readonly task: string;
  /** `null`: all that the task has merged. */
  readonly attempt: number | null;
}

/** The work that would be taken back or brought again; a fault that says why there is none. Changes nothing. */
export const workOf = async (
  way: Way,
  reader: Pick<ChangesReader, 'attempts' | 'isolation'>,
  state: SessionState,
  { task, attempt }: Wanted,
): Promise<Result<Work>> => {
  const why = whyNoTurn(state, task);
  if (why !== null) return refuse('not-ended', why);
  const attempts = await reader.attempts();
  if (!attempts.ok) return attempts;
  const isolated = reader.isolation === 'worktree';
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
  if (way === 'redo') return refuse('not-undone', `no changes from ${what} were undone`);
  return isolated
    ? refuse('not-merged', `no changes from ${what} are merged`)
    : refuse('not-recorded', `no files that ${what} changed were recorded`);
};

/** Shared workspace: the files that belong to these attempts, as recorded when they ended. */
const filesOf = ({ changes }: SessionState, attempts: readonly AttemptRecord[]): readonly string[] => [
  ...new Set(attempts.flatMap((each) => changes.attempts.get(`${each.task}/${each.attempt}`)?.files ?? [])),
];

/**
 * Takes the work back or brings it again, and writes the facts: that it began, before anything moves, and how it ended. One that was cut off is
 * completed. `write` says whether the fact is on disk: nothing moves before it is.
 */
export const turnWork = async (
  way: Way,
  changes: SessionChanges,
  state: SessionState,
  work: Work,
  write: (body: EventBody) => boolean,
): Promise<Result<Undone>> => {
  const task = plainName(work.task);
  const began: Work['began'] = ({ files, patch }) => {
    const isWritten = write({
      type: 'undo.started',
      way,
      task,
      files: [...files],
      ...(patch === null ? {} : { patch }),
      ...(work.attempt === null ? {} : { attempt: work.attempt }),
    });
    // Without it the next start could not tell that git has moved.
    if (!isWritten) throw new FaultError({ code: 'not-journaled', what: 'the journal could not be written' });
  };
  const before = await changes.attempts();
  const turned = await changes[way]({ ...work, began });
  const done = turned.ok ? turned : (completed(way, state, work, before) ?? turned);
  if (!done.ok) return done;
  const { files, patch } = done.value;
  const fact = { task, attempts: turnedIn(state, await changes.attempts(), work), files: [...files] };
  write(patch === null ? { type: 'changes.redone', ...fact } : { type: 'changes.undone', ...fact, patch });
  return done;
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

/** The task of an attempt in any iteration. */
export const plainName = (name: string): string => name.replace(/@\d+$/, '');

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
