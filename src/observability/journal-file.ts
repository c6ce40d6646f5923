import { dirname } from 'node:path';
import { type Disk, DiskError, diskCode, type Handle } from '../base/disk.ts';
import { type Event, ephemeralTypes } from '../pipeline/event.ts';
import type { JournalCut, JournalRead, JournalWriter } from './journal.ts';
import { createJournalCheck } from './journal-check.ts';
import { createJournalCopy, type JournalCopy } from './journal-copy.ts';
import { repairJournal } from './journal-repair.ts';
import { createJournalSeal, type JournalSeal, type SealPlace } from './journal-seal.ts';

/** What is kept outside the workspace while the journal is open, and about it afterwards. */
export interface JournalPlaces {
  readonly copy?: string | undefined;
  readonly seal?: SealPlace | undefined;
}

/** Bytes of lines that may wait in memory; beyond it they are handed to the file system before the next flush. */
const mostWaiting = 1024 * 1024;
const chunkSize = 1024 * 1024;

interface Appended {
  readonly disk: Disk;
  readonly path: string;
  readonly copy: JournalCopy | null;
  readonly seal: JournalSeal | null;
  handle: Handle;
  /** Bytes of whole batches. Beyond it is half of a failed one. */
  size: number;
  /** Half of a failed batch may be at the end. */
  isSpoiled: boolean;
  restored: JournalCut | null;
  waiting: string[];
  waitingLength: number;
}

/**
 * Opens `journal.jsonl` for appending, creating it durably. Repairs a torn tail first. Lines wait in memory until `flush`, which
 * writes them in one call and makes them durable. When a write fails, the file is cut back to the last whole batch and `DiskError`
 * is thrown. The lines are kept and the next `flush` retries: nothing is lost while the process lives. Ephemeral events are ignored.
 * With a place for a copy, a journal that somebody cut or added to meanwhile is as it was before the next line.
 */
export const openJournal = (disk: Disk, path: string, places: JournalPlaces = {}): JournalWriter => {
  const journal = openAppended(disk, path, places);
  return {
    append: (event) => append(journal, event),
    write: () => write(journal),
    flush: () => {
      write(journal);
      disk.flush(journal.handle);
    },
    close: () => {
      write(journal);
      disk.flush(journal.handle);
      disk.close(journal.handle);
      journal.copy?.close();
      journal.seal?.close();
    },
    takeCut: () => {
      try {
        bringBack(journal);
      } catch (error) {
        // The next write meets the same disk, and reports it.
        if (!(error instanceof DiskError)) throw error;
      }
      const cut = journal.restored;
      journal.restored = null;
      return cut;
    },
  };
};

const openAppended = (disk: Disk, path: string, places: JournalPlaces): Appended => {
  repairJournal(disk, path);
  const isNew = disk.lstat(path) === null;
  const handle = disk.openAppend(path);
  if (isNew) disk.flushDirectory(dirname(path));
  const { size } = disk.stat(handle);
  const copy = places.copy === undefined ? null : createJournalCopy(disk, handle, size, places.copy);
  const seal = places.seal === undefined ? null : createJournalSeal(disk, handle, size, places.seal);
  return {
    disk,
    path,
    copy,
    seal,
    handle,
    size,
    isSpoiled: false,
    restored: null,
    waiting: [],
    waitingLength: 0,
  };
};

const append = (journal: Appended, event: Event): void => {
  if (ephemeralTypes.has(event.type)) return;
  const line = `${JSON.stringify(event)}\n`;
  journal.waiting.push(line);
  journal.waitingLength += line.length;
  if (journal.waitingLength > mostWaiting) write(journal);
};

const write = (journal: Appended): void => {
  const { disk, copy, seal, waiting } = journal;
  bringBack(journal);
  if (journal.isSpoiled) cutBack(journal);
  if (waiting.length === 0) return;
  const bytes = new TextEncoder().encode(waiting.join(''));
  seal?.announce(bytes);
  try {
    disk.write(journal.handle, bytes);
  } catch (error) {
    journal.isSpoiled = true;
    if (error instanceof DiskError) cutBack(journal);
    throw error;
  }
  journal.size += bytes.length;
  copy?.add(bytes);
  seal?.written();
  journal.waiting = [];
  journal.waitingLength = 0;
};

const cutBack = (journal: Appended): void => {
  journal.disk.truncate(journal.handle, journal.size);
  journal.isSpoiled = false;
};

/** Writes again what somebody cut, and cuts what somebody added. A deleted journal is not ours to bring back: the session's second names do. */
const bringBack = (journal: Appended): void => {
  const { disk, path, copy, size, isSpoiled } = journal;
  if (copy === null) return;
  const there = disk.lstat(path);
  const ours = disk.stat(journal.handle);
  if (there === null || !copy.isWhole(size)) return;
  const isReplaced = there.ino !== ours.ino;
  if (!isReplaced && (ours.size === size || (ours.size > size && isSpoiled))) return;
  if (isReplaced) {
    disk.unlink(path);
    const old = journal.handle;
    journal.handle = disk.openAppend(path);
    disk.close(old);
  }
  if (!isReplaced && ours.size > size) disk.truncate(journal.handle, size);
  else copy.restore(journal.handle, size);
  if (isReplaced) disk.flushDirectory(dirname(path));
  journal.restored = { left: there.size, whole: size };
};

/**
 * Every event from byte `offset` on. The returned `offset` is where a viewer continues later; a half line at the end is left for
 * then. Lines that are not our events are skipped and reported as problems. A missing file is an empty journal. Reads in chunks,
 * and checks only type, `seq` and `at`: the file is our own output, and the target is 250,000 events a second (test/README.md).
 */
export const readJournal = (disk: Disk, path: string, offset = 0): JournalRead => {
  const events: Event[] = [];
  const read = scanJournal(disk, path, offset, (batch) => {
    for (const event of batch) events.push(event);
  });
  return { ...read, events };
};

/** The same in batches of about a megabyte of text, for journals that are too large for memory. */
export const scanJournal = (
  disk: Disk,
  path: string,
  offset: number,
  visit: (events: readonly Event[]) => void,
): Omit<JournalRead, 'events'> => {
  const check = createJournalCheck(path);
  const read = scanBlocks(disk, path, offset, (block) => visit(check.events(block)));
  if (read.shrunk) check.report('journal-shrunk', 'is shorter than it was', 'read it again from its start');
  return { problems: check.problems(), offset: read.offset };
};

/** Visits the whole lines from byte `offset` on, in blocks. `shrunk`: the file is shorter than that. A missing file is empty. */
export const scanBlocks = (
  disk: Disk,
  path: string,
  offset: number,
  visit: (block: Uint8Array) => void,
): { readonly offset: number; readonly shrunk: boolean } => {
  const handle = openIfThere(disk, path);
  if (handle === null) return { offset: 0, shrunk: false };
  try {
    const { size } = disk.stat(handle);
    let at = Math.min(offset, size);
    for (const block of wholeLines(disk, handle, at, size)) {
      visit(block);
      at += block.length;
    }
    return { offset: at, shrunk: size < offset };
  } finally {
    disk.close(handle);
  }
};

/** The first whole line without its line feed, of any length, as written when the session began; `null` when there is none. */
export const readFirstLine = (disk: Disk, path: string): string | null => {
  const handle = openIfThere(disk, path);
  if (handle === null) return null;
  try {
    const [block] = wholeLines(disk, handle, 0, disk.stat(handle).size);
    return block === undefined ? null : new TextDecoder().decode(block.subarray(0, block.indexOf(newline)));
  } finally {
    disk.close(handle);
  }
};

const newline = 0x0a;

/** Blocks of whole lines, each about a chunk long; longer when one line is. */
function* wholeLines(disk: Disk, handle: Handle, from: number, to: number): Generator<Uint8Array> {
  let rest = new Uint8Array();
  for (let at = from; at < to; ) {
    const got = disk.read(handle, at, Math.min(Math.max(chunkSize, rest.length), to - at));
    if (got.length === 0) return;
    at += got.length;
    const block = rest.length === 0 ? got : joined(rest, got);
    const end = block.lastIndexOf(newline) + 1;
    if (end > 0) yield block.subarray(0, end);
    rest = block.slice(end);
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
};

const openIfThere = (disk: Disk, path: string): Handle | null => {
  try {
    return disk.openRead(path);
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return null;
    throw error;
  }
};
