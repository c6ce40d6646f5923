import { dirname, relative } from 'node:path';
import type { Cancel } from '../base/clock.ts';
import type { FileStat } from '../base/disk.ts';
import { diskCode } from '../base/disk.ts';
import { toFault } from '../base/fault.ts';
import { sha256 } from '../base/hash.io.ts';
import { readText, replaceFile, writeNew } from '../base/replace-file.ts';
import type { EventBody } from '../pipeline/event.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { Core } from './core.ts';

/**
 * The files in which people read where a session stands: `progress.md`, `metadata.yaml`, `iterations/<N>/metadata.yaml` (engine.md, Crash recovery).
 * Written behind the journal, coalesced, each announced with its hash before the rename; what a person changed meanwhile is taken over first.
 */
export interface Snapshots {
  /** Soon, or at once. */
  write(now: boolean): void;
  /** Takes over what people changed since our last write, without writing. */
  lookForEdits(): void;
  /** After a restart: what each file was when it was written last. */
  restore(known: KnownSnapshots): void;
  stop(): void;
}

/** One kind of file. */
export interface SnapshotFile {
  readonly path: (state: SessionState) => string;
  /** The new text: an edit of `current`, so that what people added stays. `written` is what we wrote last. */
  readonly render: (state: SessionState, current: string | null, written: string | null) => string;
  /** After a restart: the state of which the file told last. */
  readonly recall?: (state: SessionState) => void;
  /** Whether two texts say the same but for counters and dates that change with every write. */
  readonly same: (a: string, b: string) => boolean;
  /** What `theirs` changed against `base`; `state` tells what we changed since. */
  readonly edits: (base: string, theirs: string, state: SessionState, file: string) => Edits;
}

export interface Edits {
  readonly facts: readonly EventBody[];
  /** Keys that both changed, each as a sentence. */
  readonly conflicts: readonly string[];
}

/** Per file, relative to the session directory. */
export interface KnownSnapshots {
  /** Every hash the journal announced. */
  readonly hashes: ReadonlyMap<string, ReadonlySet<string>>;
  /** The state when the file was written last; `earlier`: the write before, when the last one may not have happened. */
  readonly bases: ReadonlyMap<string, { readonly last: SessionState; readonly earlier: SessionState | null }>;
}

interface Written {
  readonly text: string;
  readonly hash: string;
  readonly stat: FileStat | null;
}

/** Changes gather at least this long before the files are written: ten times as long as writing took last, so that large sessions do not live on it. */
const coalesceMs = { least: 1_000, most: 2_000 };
const timesTheWriting = 10;

const pauseAfter = (writingMs: number): number =>
  Math.min(coalesceMs.most, Math.max(coalesceMs.least, writingMs * timesTheWriting));

export const createSnapshots = (core: Core, files: readonly SnapshotFile[]): Snapshots => {
  const { loop, options } = core;
  const { disk, random, paths } = options;
  const written = new Map<string, Written>();
  let timer: Cancel | null = null;
  let pause = coalesceMs.least;

  const nameOf = (path: string): string => relative(paths.directory, path);

  const sameStat = (a: FileStat | null, b: FileStat | null): boolean =>
    a !== null &&
    b !== null &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs;

  /** The text on disk; unchanged files are not read again. */
  const current = (path: string): string | null => {
    const before = written.get(path);
    if (before && sameStat(before.stat, disk.lstat(path))) return before.text;
    return readText(disk, path);
  };

  const takeOver = (file: SnapshotFile, path: string, base: string, theirs: string): void => {
    const { facts, conflicts } = file.edits(base, theirs, loop.state(), nameOf(path));
    for (const fact of facts) loop.commit(fact);
    if (conflicts.length > 0) conflict(path, theirs, conflicts);
  };

  /** Two changes of the same key: ours stands in the file, theirs beside it, and a person decides (session-format.md, Writing). */
  const conflict = (path: string, theirs: string, conflicts: readonly string[]): void => {
    const kept = `${path}.yours-${sha256(theirs).slice(0, 8)}`;
    try {
      writeNew(disk, random, kept, theirs);
    } catch (error) {
      if (diskCode(error) !== 'EEXIST') throw error;
    }
    const what = `was edited while the session changed the same: ${conflicts.join('; ')}`;
    const mend = `your text is kept in ${nameOf(kept)}; RESUME goes on with the session's`;
    core.problem({ code: 'edit-conflict', what, where: nameOf(path), mend });
    if (!loop.state().hold && loop.state().state !== 'COMPLETE')
      loop.commit({
        type: 'hold.requested',
        signal: null,
        by: 'Ralph-v2-Orchestrator',
        message: `${nameOf(path)} ${what}; ${mend}`,
      });
  };

  /** A change that is not ours since the last write. */
  const look = (file: SnapshotFile, path: string): string | null => {
    const text = current(path);
    const before = written.get(path);
    if (text === null || !before || text === before.text) return text;
    takeOver(file, path, before.text, text);
    written.set(path, { text, hash: sha256(text), stat: disk.lstat(path) });
    return text;
  };

  const plan = (file: SnapshotFile): { path: string; text: string } | null => {
    const path = file.path(loop.state());
    const now = look(file, path);
    const text = file.render(loop.state(), now, written.get(path)?.text ?? null);
    return now !== null && file.same(now, text) ? null : { path, text };
  };

  const writeAll = (): void => {
    timer?.();
    timer = null;
    if (!loop.begun() || !loop.isOpen()) return;
    const start = options.clock.monotonic();
    try {
      const plans = files.map(plan).filter((each) => each !== null);
      for (const { path, text } of plans)
        loop.commit({ type: 'snapshot.written', file: nameOf(path), hash: sha256(text) });
      // A journal that cannot be written leaves every file as it is: none may know more than the journal (engine.md, Crash recovery).
      if (!loop.flush()) return;
      for (const { path, text } of plans) {
        if (!loop.isOpen()) return;
        disk.mkdir(dirname(path));
        replaceFile(disk, random, path, text);
        written.set(path, { text, hash: sha256(text), stat: disk.lstat(path) });
      }
    } catch (error) {
      if (diskCode(error) === '') throw error;
      core.block(toFault(error, paths.directory));
    }
    pause = pauseAfter(options.clock.monotonic() - start);
  };

  const restoreOne = (file: SnapshotFile, known: KnownSnapshots): void => {
    const path = file.path(loop.state());
    const text = readText(disk, path);
    if (text === null) return;
    const base = known.bases.get(nameOf(path));
    if (base) file.recall?.(base.last);
    const hash = sha256(text);
    if (known.hashes.get(nameOf(path))?.has(hash)) {
      written.set(path, { text, hash, stat: disk.lstat(path) });
      return;
    }
    if (base) {
      const baseText = file.render(base.last, null, null);
      const older = base.earlier ? file.render(base.earlier, null, null) : null;
      const unwritten = older === null ? [] : file.edits(baseText, older, base.last, nameOf(path)).facts;
      const edits = file.edits(baseText, text, loop.state(), nameOf(path));
      const stale = new Set(unwritten.map((fact) => JSON.stringify(fact)));
      for (const fact of edits.facts) if (!stale.has(JSON.stringify(fact))) loop.commit(fact);
      if (edits.conflicts.length > 0) conflict(path, text, edits.conflicts);
    }
    written.set(path, { text, hash, stat: disk.lstat(path) });
  };

  return {
    write: (now) => {
      if (now) writeAll();
      else timer ??= loop.later(pause, writeAll);
    },
    lookForEdits: () => {
      if (!loop.begun() || !loop.isOpen()) return;
      for (const file of files) look(file, file.path(loop.state()));
    },
    restore: (known) => {
      for (const file of files) restoreOne(file, known);
    },
    stop: () => {
      timer?.();
      timer = null;
    },
  };
};
