import type { Clock } from '../../src/base/clock.ts';
import type { Range, Scope } from '../../src/changes/changed-file.ts';
import { asResult, nameOf, refuse } from '../../src/changes/context.ts';
import type { Examined, Repository } from '../../src/changes/examined.ts';
import type {
  Attempt,
  ChangesPort,
  Finish,
  Finished,
  SessionChanges,
  Start,
} from '../../src/changes/port.ts';
import type { AttemptRecord } from '../../src/changes/reader.ts';
import type { Result } from '../../src/changes/result.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedDisk } from './simulated-disk.ts';
import {
  changesBetween,
  type Files,
  filesAt,
  isOf,
  type Kept,
  pathsBetween,
  put,
  type SimulatedGit,
  standingOf,
  textOfBlob,
} from './simulated-git.ts';
import { createSimulatedMerges } from './simulated-merges.ts';
import { simulatedShared } from './simulated-shared-changes.ts';

/** What the parts of the simulation share. */
export interface SimulatedPlace {
  readonly git: SimulatedGit;
  /** The attempt, or a fault when nothing was prepared for it. */
  kept(attempt: Attempt): Kept;
  /** Makes the worktree of the attempt, or finds it: then true. */
  prepare(attempt: Attempt, start: Start): boolean;
  /** The files of its worktree. */
  read(attempt: Attempt): Files;
  write(attempt: Attempt, files: Files): void;
  directory(attempt: Attempt): string;
  /** Moves the session's branch, and the worktree that holds it. */
  moveTo(commit: string): void;
  /** Saves a patch and gives its path. */
  savePatch(task: string, commit: string): string;
}

interface Parts {
  readonly disk: SimulatedDisk;
  readonly clock: Clock;
  readonly git: SimulatedGit;
  readonly random: SeededRandom;
}

/**
 * The changes of one session in worktrees on a simulated disk and the clock of one life of its program: a dead program hears no answer. It passes
 * `test/changes/changes-conformance.ts`, as the real changes do. What neither the engine nor that suite calls is not there.
 */
export const createSimulatedChanges = (parts: Parts, session: string): ChangesPort => {
  const { git } = parts;
  const call = createCalls(parts);
  const ok = <T>(work: () => T): Promise<Result<T>> => asResult(() => call(work));
  const place = createPlace(parts, session);
  const shared = sharedOf(session);

  const snapshot = (attempt: Attempt, moment: 'before' | 'after') => {
    const own = place.kept(attempt);
    if (!own.hasTree) throw refuse('no-worktree', `${nameOf(attempt)} has no worktree`);
    own[moment] = put(git, place.read(attempt));
    return { commit: own[moment], problems: [], repositories: [] };
  };

  const commit = (attempt: Attempt) => {
    const own = place.kept(attempt);
    if (own.commit === null) {
      const after = own.after ?? snapshot(attempt, 'after').commit;
      own.commit = pathsBetween(git, own.start, after).length === 0 ? own.start : after;
    }
    return { commit: own.commit, empty: own.commit === own.start, repositories: [] };
  };

  const clean = (attempt: Attempt): null => {
    const own = git.attempts.get(keyOf(attempt));
    if (!own) return null;
    if (own.hasTree && (own.after === null || own.commit === null)) snapshot(attempt, 'after');
    parts.disk.drop(place.directory(attempt));
    own.hasTree = false;
    return null;
  };

  const changes: Partial<SessionChanges> = {
    isolation: 'worktree',
    worktree: { branch: `ralph/${session}`, base: git.base, directory: shared },
    prepare: (attempt, start = { from: 'session' }) =>
      ok(() => ({
        existed: place.prepare(attempt, start),
        directory: place.directory(attempt),
        branch: `ralph-attempt/${session}/${attempt.task}/${attempt.attempt}`,
        slot: place.kept(attempt).slot,
        problems: [],
      })),
    snapshot: (attempt, moment) => ok(() => snapshot(attempt, moment)),
    attempts: () => ok(() => [...git.attempts.values()].map((own) => recordOf(place, own))),
    ranges: (scope) => ok(() => rangesOf(place, scope)),
    changedFiles: ({ from, to }) => ok(() => changesBetween(git, from, to)),
    findSecrets: () => ok(() => []),
    readBlob: (blob) => ok(() => new TextEncoder().encode(textOfBlob(git, blob))),
    commit: (attempt) => ok(() => commit(attempt)),
    ...createSimulatedMerges(place, call),
    acceptConfiguration: () => ok(() => null),
    propose: (attempt) =>
      ok(() => {
        if (!git.personMoved) return null;
        const known = git.attempts.get(keyOf(attempt));
        const isKnown = known !== undefined && known.base === git.tip;
        if (known !== undefined && !isKnown) git.attempts.delete(keyOf(attempt));
        const existed = place.prepare(attempt, { from: 'session' });
        const { start, slot } = place.kept(attempt);
        const branch = `ralph-attempt/${session}/${attempt.task}/${attempt.attempt}`;
        return { commit: start, existed, directory: place.directory(attempt), branch, slot, problems: [] };
      }),
    finish: (how) => ok(() => finished(git, session, how)),
    clean: async (attempt, before) => {
      const own = git.attempts.get(keyOf(attempt));
      if (own?.hasTree) await before?.({ directory: place.directory(attempt), slot: own.slot });
      return ok(() => clean(attempt));
    },
    close: () =>
      ok(() => {
        parts.disk.drop(shared);
        return null;
      }),
  };
  return partial<ChangesPort>({
    open: (opening) =>
      ok(() => {
        if (opening.isolation === 'shared')
          return partial<SessionChanges>(simulatedShared(parts, opening.workspace, ok));
        place.moveTo(git.tip);
        return partial<SessionChanges>(changes);
      }),
    examine: () =>
      call(() => partial<Examined>({ notes: [], repository: partial<Repository>({ branch: 'main' }) })),
  });
};

/** A call takes time before and after it happens: a crash may come between. */
const createCalls = ({ clock, random }: Parts) => {
  const wait = (): Promise<void> => new Promise((resolve) => void clock.after(random.int(400), resolve));
  return async <T>(work: () => T): Promise<T> => {
    await wait();
    const value = work();
    await wait();
    return value;
  };
};

const createPlace = ({ disk, git }: Parts, session: string): SimulatedPlace => {
  const directory = (attempt: Attempt): string => `/trees/${session}/${keyOf(attempt)}`;
  const filesIn = (top: string): readonly string[] => disk.tree(top).filter((path) => !path.endsWith('/'));
  const write = (top: string, files: Files): void => {
    disk.mkdir(top);
    for (const path of filesIn(top)) if (!files.has(path.slice(top.length + 1))) disk.drop(path);
    for (const [name, text] of files) {
      const path = `${top}/${name}`;
      disk.mkdir(path.slice(0, path.lastIndexOf('/')));
      disk.put(path, text);
    }
  };
  const place: SimulatedPlace = {
    git,
    directory,
    prepare: (attempt, start) => prepare(place, attempt, start),
    kept: (attempt) => {
      const found = git.attempts.get(keyOf(attempt));
      if (!found) throw refuse('no-worktree', `${nameOf(attempt)} has no worktree`);
      return found;
    },
    read: (attempt) => {
      const top = directory(attempt);
      return new Map(filesIn(top).map((path) => [path.slice(top.length + 1), disk.text(path)]));
    },
    write: (attempt, files) => write(directory(attempt), files),
    moveTo: (commit) => {
      git.tip = commit;
      write(sharedOf(session), filesAt(git, commit));
    },
    savePatch: (task, commit) => {
      const path = `/trees/${session}-${task}-${commit}.patch`;
      disk.put(path, '');
      return path;
    },
  };
  return place;
};

/** Makes the worktree of an attempt, or finds it. */
const prepare = (place: SimulatedPlace, attempt: Attempt, start: Start): boolean => {
  const { git } = place;
  const known = git.attempts.get(keyOf(attempt));
  if (known?.hasTree) return true;
  if (known) {
    place.write(attempt, filesAt(git, known.commit ?? known.start));
    known.hasTree = true;
    known.slot = freeSlot(git);
    return false;
  }
  const from = startOf(place, attempt, start);
  place.write(attempt, filesAt(git, from.start));
  const nothing = { before: null, after: null, commit: null, onto: null };
  git.attempts.set(keyOf(attempt), { ...attempt, ...from, ...nothing, slot: freeSlot(git), hasTree: true });
  return false;
};

const freeSlot = ({ attempts }: SimulatedGit): number => {
  const taken = new Set([...attempts.values()].flatMap(({ hasTree, slot }) => (hasTree ? [slot] : [])));
  return [...taken, 0].findIndex((_, slot) => !taken.has(slot));
};

const startOf = (
  { git, kept }: SimulatedPlace,
  { task }: Attempt,
  from: Start,
): Pick<Kept, 'start' | 'base'> => {
  const session = { start: git.tip, base: git.tip };
  if (from.from === 'session') return session;
  const earlier = { task, attempt: from.attempt };
  if (git.steps.findLast((step) => isOf(step, earlier))?.what === 'undone') return session;
  const { commit, after, base } = kept(earlier);
  const start = commit ?? after;
  if (start === null) throw refuse('no-snapshot', `${nameOf(earlier)} has no snapshot to continue from`);
  return { start, base };
};

const recordOf = ({ git, directory }: SimulatedPlace, own: Kept): AttemptRecord => {
  const was = git.steps.some((step) => isOf(step, own));
  const { task, attempt, before, after, commit } = own;
  return {
    ...{ task, attempt, before, after },
    state:
      standingOf(git, own).length > 0 ? 'merged' : was ? 'undone' : commit === null ? 'none' : 'committed',
    directory: own.hasTree ? directory(own) : null,
  };
};

const rangesOf = ({ git, read }: SimulatedPlace, scope: Scope): readonly Range[] => {
  if (scope.of === 'session') return git.base === git.tip ? [] : [{ from: git.base, to: git.tip }];
  const own = [...git.attempts.values()]
    .filter(({ task, attempt }) => task === scope.task && (scope.of === 'task' || attempt === scope.attempt))
    .at(-1);
  const from = scope.of === 'attempt' ? own?.before : own?.base;
  if (!own || !from) return [];
  const to = own.after ?? (own.hasTree ? put(git, read(own)) : null);
  return to === null ? [] : [{ from, to }];
};

const finished = (git: SimulatedGit, session: string, finish: Finish): Finished => {
  const branch = `ralph/${session}`;
  if (finish.how === 'keep')
    return { how: 'kept', branch, into: 'main', inTheWay: [], unsaved: [], bringsBack: false };
  if (finish.how === 'pull-request')
    return { how: 'pull-request', branch, hasRemote: true, commands: [['gh', 'pr', 'create']] };
  const isKnown = finish.proposed !== undefined && git.attempts.get(keyOf(finish.proposed))?.base === git.tip;
  if (finish.proposed !== undefined && git.personMoved && !isKnown)
    throw refuse('moved-on', 'a branch has moved since its merge was verified');
  git.personMoved = true;
  return {
    how: 'merged',
    branch: finish.into,
    commit: git.tip,
    files: pathsBetween(git, git.base, git.tip),
  };
};

const sharedOf = (session: string): string => `/trees/${session}/all`;

const keyOf = ({ task, attempt }: Attempt): string => `${task}-${attempt}`;

/** A port of which only these parts are called; any other is a mistake of the test. */
const partial = <T extends object>(parts: Partial<T>): T =>
  new Proxy(parts as T, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      if (name === 'then' || name === 'code') return undefined;
      throw new Error(`${String(name)} is not simulated`);
    },
    has: (target, name) => name in target,
  });
