import type { Clock } from '../../src/base/clock.ts';
import type { Examined, Repository } from '../../src/changes/examined.ts';
import type { Merged } from '../../src/changes/merged.ts';
import type { Attempt, ChangesPort, Finished, SessionChanges } from '../../src/changes/port.ts';
import type { Result } from '../../src/changes/result.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

type Files = ReadonlyMap<string, string>;

interface Kept {
  readonly start: Files;
  before: string | null;
  after: string | null;
  merge: { readonly commit: string; readonly tip: Files } | null;
}

/** What git holds: it outlives every program, and each of its steps happens whole or not at all. */
export interface SimulatedGit {
  tip: Files;
  readonly commits: Map<string, Files>;
  readonly attempts: Map<string, Kept>;
  /** Merges that stand, oldest first. */
  readonly merged: string[];
  finished: number;
}

export const createSimulatedGit = (): SimulatedGit => ({
  tip: new Map(),
  commits: new Map(),
  attempts: new Map(),
  merged: [],
  finished: 0,
});

/**
 * The changes of one session on a simulated disk and the clock of one life of its program: whoever is dead hears no answer. Only what the engine
 * calls is there; a file that both sides changed is a conflict.
 */
export const createSimulatedChanges = (
  {
    disk,
    clock,
    git,
    random,
  }: {
    readonly disk: SimulatedDisk;
    readonly clock: Clock;
    readonly git: SimulatedGit;
    readonly random: SeededRandom;
  },
  session: string,
): ChangesPort => {
  const place = (attempt: Attempt): string => `/trees/${session}/${nameOf(attempt)}`;
  const shared = `/trees/${session}/all`;

  const write = (directory: string, files: Files): void => {
    disk.mkdir(directory);
    for (const [name, text] of files) disk.put(`${directory}/${name}`, text);
  };
  const read = (directory: string): Files =>
    new Map(
      disk
        .tree(directory)
        .filter((path) => !path.endsWith('/'))
        .map((path) => [path.slice(directory.length + 1), disk.text(path)]),
    );
  const put = (files: Files): string => {
    const id = `c${git.commits.size + 1}`;
    git.commits.set(id, files);
    return id;
  };
  const kept = (attempt: Attempt): Kept => {
    const found = git.attempts.get(nameOf(attempt));
    if (!found) throw new Error(`nothing was prepared for ${nameOf(attempt)}`);
    return found;
  };

  /** A call takes time before and after it happens: a crash may come between. */
  const call = async <T>(work: () => T): Promise<T> => {
    await wait();
    const value = work();
    await wait();
    return value;
  };
  const wait = (): Promise<void> => new Promise((resolve) => void clock.after(random.int(400), resolve));
  const ok = async <T>(work: () => T): Promise<Result<T>> => ({ ok: true, value: await call(work) });

  const snapshot = (attempt: Attempt, moment: 'before' | 'after') => {
    const own = kept(attempt);
    const id = put(read(place(attempt)));
    own[moment] = id;
    return { commit: id, problems: [] };
  };

  const merge = (attempt: Attempt, take: 'session' | 'task' | 'edited' | null): Merged => {
    const own = kept(attempt);
    if (own.merge) return { kind: 'merged', commit: own.merge.commit, before: '', files: [] };
    if (own.after === null) return { kind: 'refused', reason: 'it is not committed yet.' };
    const after = git.commits.get(own.after) ?? new Map();
    const changed = [...after].filter(([name, text]) => own.start.get(name) !== text);
    const both = changed.filter(
      ([name, text]) => git.tip.get(name) !== own.start.get(name) && git.tip.get(name) !== text,
    );
    if (both.length > 0 && take === null) {
      const files = both.map(([path]) => ({ path, base: null, session: null, task: null, marked: null }));
      return { kind: 'conflict', conflict: { ...attempt, files, against: [] } };
    }
    const taken = take === 'session' ? changed.filter((entry) => !both.includes(entry)) : changed;
    own.merge = { commit: `m${git.commits.size}-${nameOf(attempt)}`, tip: git.tip };
    git.tip = new Map([...git.tip, ...taken]);
    git.merged.push(nameOf(attempt));
    write(shared, git.tip);
    return { kind: 'merged', commit: own.merge.commit, before: '', files: changed.map(([name]) => name) };
  };

  const takeBack = (attempt: Attempt): null => {
    const own = kept(attempt);
    if (!own.merge || git.merged.at(-1) !== nameOf(attempt)) return null;
    git.tip = own.merge.tip;
    own.merge = null;
    git.merged.pop();
    return null;
  };

  const finish = (): Finished => {
    git.finished += 1;
    return { how: 'kept', branch: `ralph/${session}` };
  };

  const changes: Partial<SessionChanges> = {
    worktree: { branch: `ralph/${session}`, base: 'c0', directory: shared },
    prepare: (attempt, start) =>
      ok(() => {
        const name = nameOf(attempt);
        const existed = git.attempts.has(name);
        if (!existed) {
          const last =
            start?.from === 'attempt' ? git.attempts.get(nameOf({ ...attempt, ...start })) : undefined;
          const from = (last?.after && git.commits.get(last.after)) || git.tip;
          git.attempts.set(name, { start: git.tip, before: null, after: null, merge: null });
          write(place(attempt), from);
        }
        disk.mkdir(place(attempt));
        return {
          directory: place(attempt),
          branch: `ralph-attempt/${session}/${name}`,
          existed,
          problems: [],
        };
      }),
    snapshot: (attempt, moment) => ok(() => snapshot(attempt, moment)),
    changedFiles: ({ from, to }) =>
      ok(() => {
        const [before, after] = [git.commits.get(from), git.commits.get(to)];
        return [...(after ?? [])]
          .filter(([name, text]) => before?.get(name) !== text)
          .map(([path]) => ({
            ...{ path, from: null, kind: 'modified', oldMode: null, newMode: null, added: 1, removed: 0 },
            kind: 'modified' as const,
          }));
      }),
    ranges: () => ok(() => []),
    commit: (attempt) =>
      ok(() => {
        const own = kept(attempt);
        return { commit: own.after ?? snapshot(attempt, 'after').commit, empty: false };
      }),
    merge: (attempt) => call(() => merge(attempt, null)),
    resolve: (attempt, { take }) => call(() => merge(attempt, take === 'nothing' ? 'session' : take)),
    openConflict: (attempt) => ok(() => ({ directory: place(attempt) })),
    takeBack: (attempt) => ok(() => takeBack(attempt)),
    acceptConfiguration: () => ok(() => null),
    finish: () => ok(finish),
    clean: () => ok(() => null),
    close: () => ok(() => null),
  };
  return partial<ChangesPort>({
    open: () => ok(() => partial<SessionChanges>(changes)),
    examine: () =>
      call(() => partial<Examined>({ notes: [], repository: partial<Repository>({ branch: 'main' }) })),
  });
};

const nameOf = ({ task, attempt }: Attempt): string => `${task}-${attempt}`;

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
