import { dirname } from 'node:path';
import type { Cancel } from '../../base/clock.ts';
import type { FileStat } from '../../base/disk.ts';
import { diskCode } from '../../base/disk.ts';
import { toFault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { Core } from '../core.ts';
import { adoptEdit } from './adopt-edit.ts';
import { nameIn, reportEditConflict } from './edit-conflict.ts';
import { createPutBackEdits, type PutBackEdits } from './put-back-edits.ts';
import type { SnapshotFile } from './snapshot-file.ts';

/**
 * The files in which people read a session's state: `progress.md`, `metadata.yaml`, `iterations/<N>/metadata.yaml` (src/engine/README.md, Crash recovery).
 * Written after the journal and coalesced. Each write is announced with its hash before the rename; people's edits are adopted first.
 */
export interface Snapshots {
  /** Writes soon, or at once when `now` is set. */
  write(now: boolean): void;
  /** Adopts people's edits since our last write, without writing. */
  lookForEdits(): void;
  /** Adopts the edit that this question is about. It was put back because an agent worked, and a person says that they made it. */
  takeEdit(request: string): void;
  /** After a restart: sets the last written state of each file. */
  restore(known: KnownSnapshots): void;
  stop(): void;
}

/** By file, relative to the session directory. */
export interface KnownSnapshots {
  /** Every hash that the journal announced. */
  readonly hashes: ReadonlyMap<string, ReadonlySet<string>>;
  /** The state of the file's last write. `earlier`: the write before, in case the last one did not happen. */
  readonly bases: ReadonlyMap<string, { readonly last: SessionState; readonly earlier: SessionState | null }>;
}

interface Written {
  readonly text: string;
  readonly stat: FileStat | null;
}

/**
 * Milliseconds to gather changes before a write: ten times the duration of the last write,
 * within these limits, to bound the cost in large sessions.
 */
const coalesceMs = { least: 1_000, most: 2_000 };
const timesTheWriting = 10;

const pauseAfter = (writingMs: number): number =>
  Math.min(coalesceMs.most, Math.max(coalesceMs.least, writingMs * timesTheWriting));

/** True when an agent, not a person, wrote this text to a file of ours: then it is not adopted but put back. */
type IsOfAgent = (path: string, text: string) => boolean;

interface SnapshotContext {
  readonly core: Core;
  readonly isOfAgent: IsOfAgent;
  readonly putBack: PutBackEdits;
  readonly files: readonly SnapshotFile[];
  /** By path: the text that we wrote or adopted last. */
  readonly written: Map<string, Written>;
  timer: Cancel | null;
  /** Milliseconds until the next write. */
  pause: number;
}

export const createSnapshots = (
  core: Core,
  files: readonly SnapshotFile[],
  isOfAgent: IsOfAgent,
): Snapshots => {
  const context: SnapshotContext = {
    core,
    isOfAgent,
    putBack: createPutBackEdits(core),
    files,
    written: new Map(),
    timer: null,
    pause: coalesceMs.least,
  };
  const { loop } = core;
  return {
    write: (now) => {
      if (now) writeAll(context);
      else schedule(context);
    },
    lookForEdits: () => {
      if (!loop.begun() || !loop.isOpen()) return;
      for (const file of files) look(context, file, file.path(loop.shown()));
    },
    takeEdit: context.putBack.take,
    restore: (known) => {
      for (const file of files) restoreOne(context, file, known);
    },
    stop: () => stopTimer(context),
  };
};

const schedule = (context: SnapshotContext): void => {
  context.timer ??= context.core.loop.later(context.pause, () => writeAll(context));
};

const stopTimer = (context: SnapshotContext): void => {
  context.timer?.();
  context.timer = null;
};

const writeAll = (context: SnapshotContext): void => {
  const { core, files, written } = context;
  const { loop, options } = core;
  const { disk, random, paths } = options;
  stopTimer(context);
  if (!loop.begun() || !loop.isOpen()) return;
  const start = options.clock.monotonic();
  try {
    const plans = files.map((file) => plan(context, file)).filter((each) => each !== null);
    for (const { path, text } of plans)
      loop.commit({ type: 'snapshot.written', file: nameIn(core, path), hash: sha256(text) });
    // When the journal cannot be written, no file changes: none may know more than the journal (src/engine/README.md, Crash recovery).
    if (!loop.flush()) return;
    for (const { path, text } of plans) {
      if (!loop.isOpen()) return;
      disk.mkdir(dirname(path));
      replaceFile(disk, random, path, text);
      written.set(path, writtenAs(core, path, text));
    }
    // The text before would come back as an edit when an agent deletes the file.
    if (plans.length > 0) core.shadow.grow();
  } catch (error) {
    if (diskCode(error) === '') throw error;
    core.block(toFault(error, paths.directory));
  }
  context.pause = pauseAfter(options.clock.monotonic() - start);
};

const plan = (context: SnapshotContext, file: SnapshotFile): { path: string; text: string } | null => {
  const { loop } = context.core;
  const path = file.path(loop.shown());
  const now = look(context, file, path);
  const text = file.render(loop.shown(), now, context.written.get(path)?.text ?? null);
  return now !== null && file.same(now, text) ? null : { path, text };
};

/** The text on disk, after adopting a foreign change since the last write. */
const look = (context: SnapshotContext, file: SnapshotFile, path: string): string | null => {
  const { core, written } = context;
  const text = current(context, path);
  const before = written.get(path);
  if (text === null || !before || text === before.text) return text;
  if (context.isOfAgent(path, text)) {
    const { disk, random } = core.options;
    replaceFile(disk, random, path, before.text);
    written.set(path, writtenAs(core, path, before.text));
    context.putBack.ask({ file, path, base: before.text, theirs: text });
    return before.text;
  }
  context.putBack.withdraw(path);
  adoptEdit(core, { file, path, base: before.text, theirs: text });
  written.set(path, writtenAs(core, path, text));
  // Puts back what an edit must not change. An edit that needs nothing causes no write.
  schedule(context);
  return text;
};

/** Reads a file only when it has changed. */
const current = ({ core, written }: SnapshotContext, path: string): string | null => {
  const { disk } = core.options;
  const before = written.get(path);
  return before && isSameStat(before.stat, disk.lstat(path)) ? before.text : readText(disk, path);
};

const restoreOne = ({ core, written }: SnapshotContext, file: SnapshotFile, known: KnownSnapshots): void => {
  const { loop } = core;
  const path = file.path(loop.shown());
  const name = nameIn(core, path);
  const text = readText(core.options.disk, path);
  if (text === null) return;
  const base = known.bases.get(name);
  if (base) file.recall?.(base.last);
  written.set(path, writtenAs(core, path, text));
  if (!base || known.hashes.get(name)?.has(sha256(text))) return;
  const baseText = file.render(base.last, null, null);
  const older = base.earlier ? file.render(base.earlier, null, null) : null;
  const unwritten = older === null ? [] : file.edits(baseText, older, base.last, name).facts;
  const edits = file.edits(baseText, text, loop.shown(), name);
  const stale = new Set(unwritten.map((fact) => JSON.stringify(fact)));
  for (const fact of edits.facts) if (!stale.has(JSON.stringify(fact))) loop.commit(fact);
  if (edits.conflicts.length > 0) reportEditConflict(core, path, text, edits.conflicts);
};

const writtenAs = ({ options }: Core, path: string, text: string): Written => ({
  text,
  stat: options.disk.lstat(path),
});

const isSameStat = (a: FileStat | null, b: FileStat | null): boolean =>
  a !== null &&
  b !== null &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeMs === b.mtimeMs &&
  a.ctimeMs === b.ctimeMs;
