import { dirname } from 'node:path';
import { type Disk, DiskError, diskCode, type Handle } from '../base/disk.ts';

/** A second copy of the journal outside the workspace. An agent that cuts the journal does not cut the copy. */
export interface JournalCopy {
  /** Adds bytes that were written to the journal. */
  add(bytes: Uint8Array): void;
  /** Whether it holds at least so many bytes. */
  isWhole(size: number): boolean;
  /** Writes the first `size` bytes into the journal in place of what it holds. Throws `DiskError` on a full disk. */
  restore(journal: Handle, size: number): void;
  close(): void;
}

const chunkSize = 1024 * 1024;

/** Copies the journal, and then what is added. A copy that cannot be written is given up: the session does not depend on it. */
export const createJournalCopy = (disk: Disk, journal: Handle, size: number, place: string): JournalCopy => {
  let copy: Handle | null = null;
  const close = (): void => {
    if (copy !== null) disk.close(copy);
    copy = null;
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof DiskError) && diskCode(error) === '') throw error;
      close();
    }
  };
  guarded(() => {
    disk.mkdir(dirname(place));
    if (disk.lstat(place) !== null) disk.unlink(place);
    copy = disk.openExclusive(place);
    copyBytes(disk, journal, copy, size);
  });
  return {
    add: (bytes) =>
      guarded(() => {
        if (copy !== null) disk.write(copy, bytes);
      }),
    isWhole: (whole) => copy !== null && disk.stat(copy).size >= whole,
    restore: (to, whole) => {
      const from = disk.openRead(place);
      try {
        disk.truncate(to, 0);
        copyBytes(disk, from, to, whole);
      } finally {
        disk.close(from);
      }
    },
    close,
  };
};

const copyBytes = (disk: Disk, from: Handle, to: Handle, size: number): void => {
  for (let at = 0; at < size; at += chunkSize)
    disk.write(to, disk.read(from, at, Math.min(chunkSize, size - at)));
};
