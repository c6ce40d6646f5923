import { basename, dirname } from 'node:path';
import type { Disk, Handle } from '../base/disk.ts';
import { lineNumber } from './journal-check.ts';

/** The size of what `repairJournal` cut off, and the file that keeps it. */
interface JournalRepair {
  readonly cutBytes: number;
  readonly keptIn: string;
}

/**
 * Cuts off what a crash left at the end: a half line, and whole lines that are not events. Keeps the cut bytes beside the journal in
 * `journal.jsonl.torn-<n>`. Returns `null` when there was nothing to do. The caller must hold the session's lock. May be interrupted and run again.
 */
export const repairJournal = (disk: Disk, path: string): JournalRepair | null => {
  const size = disk.lstat(path)?.size ?? 0;
  if (size === 0) return null;
  const handle = disk.openAppend(path);
  try {
    const good = endOfGoodLines(disk, handle, size);
    if (good === size) return null;
    const keptIn = keep(disk, path, handle, good, size);
    disk.truncate(handle, good);
    disk.flush(handle);
    return { cutBytes: size - good, keptIn };
  } finally {
    disk.close(handle);
  }
};

const newline = 0x0a;
const chunkSize = 1024 * 1024;

/** Searches backwards from the end of the file for the end of the last line that is a JSON object. */
const endOfGoodLines = (disk: Disk, handle: Handle, size: number): number => {
  let end = lineEndBefore(disk, handle, size);
  while (end > 0) {
    const start = lineEndBefore(disk, handle, end - 1);
    const line = new TextDecoder().decode(disk.read(handle, start, end - start));
    if (lineNumber(line) !== null) return end;
    end = start;
  }
  return 0;
};

/** The offset just after the last line feed before `limit`; 0 when there is none. */
const lineEndBefore = (disk: Disk, handle: Handle, limit: number): number => {
  const step = 64 * 1024;
  for (let to = limit; to > 0; to -= step) {
    const from = Math.max(0, to - step);
    const found = disk.read(handle, from, to - from).lastIndexOf(newline);
    if (found >= 0) return from + found + 1;
  }
  return 0;
};

const keep = (disk: Disk, path: string, handle: Handle, from: number, to: number): string => {
  const names = new Set(disk.readdir(dirname(path)));
  let number = 1;
  while (names.has(`${basename(path)}.torn-${number}`)) number += 1;
  const kept = `${path}.torn-${number}`;
  const copy = disk.openExclusive(kept);
  try {
    for (let at = from; at < to; at += chunkSize)
      disk.write(copy, disk.read(handle, at, Math.min(chunkSize, to - at)));
    disk.flush(copy);
  } finally {
    disk.close(copy);
  }
  disk.flushDirectory(dirname(path));
  return kept;
};
