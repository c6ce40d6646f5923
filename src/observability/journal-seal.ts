import { dirname } from 'node:path';
import { type Disk, DiskError, diskCode, type Handle } from '../base/disk.ts';
import { createSha256, type RunningHash } from '../base/hash.io.ts';

/**
 * Sizes and hashes of a journal as this program wrote it, kept outside the workspace: an agent can append events to the journal (a plan, an answer, a
 * setting), and the next resume must not take them for facts.
 */
export interface JournalSeal {
  /** Before the bytes are written at the end of the journal: a crash leaves the journal as it was, or with them. */
  announce(bytes: Uint8Array): void;
  /** They are written. */
  written(): void;
  /** Nothing more will be written: from here on a restart of the machine explains no difference. */
  close(): void;
}

export interface SealPlace {
  readonly path: string;
  /** Of the machine that runs now. */
  readonly boot: string;
}

/** Most lines before the file begins again. */
const mostLines = 10_000;
/** The last line of a seal whose session ended. */
export const over = 'over';

/** Begins a seal over what the journal holds now. One that cannot be written is given up: the next resume asks. */
export const createJournalSeal = (
  disk: Disk,
  journal: Handle,
  size: number,
  { path, boot }: SealPlace,
): JournalSeal => {
  let seal: Handle | null = null;
  let lines = 0;
  let now: Standing = { size, hash: hashOf(disk, journal, size) };
  let next: Standing | null = null;

  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof DiskError) && diskCode(error) === '') throw error;
      if (seal !== null) disk.close(seal);
      seal = null;
    }
  };
  const begin = (after: Standing): void => {
    disk.mkdir(dirname(path));
    const fresh = `${path}.new`;
    if (disk.lstat(fresh) !== null) disk.unlink(fresh);
    const handle = disk.openExclusive(fresh);
    disk.write(handle, lineOf(now, after, boot));
    disk.flush(handle);
    disk.rename(fresh, path);
    disk.flushDirectory(dirname(path));
    if (seal !== null) disk.close(seal);
    seal = handle;
    lines = 1;
  };
  guarded(() => begin(now));
  return {
    announce: (bytes) =>
      guarded(() => {
        const hash = now.hash.copy();
        hash.update(bytes);
        next = { size: now.size + bytes.length, hash };
        lines += 1;
        if (seal === null) return;
        if (lines > mostLines) begin(next);
        else disk.write(seal, lineOf(now, next, boot));
      }),
    written: () => {
      now = next ?? now;
    },
    close: () =>
      guarded(() => {
        if (seal === null) return;
        disk.write(seal, new TextEncoder().encode(`${over}\n`));
        disk.flush(seal);
        disk.close(seal);
        seal = null;
      }),
  };
};

interface Standing {
  readonly size: number;
  readonly hash: RunningHash;
}

const lineOf = (now: Standing, next: Standing, boot: string): Uint8Array =>
  new TextEncoder().encode(`${[now.size, now.hash.soFar(), next.size, next.hash.soFar(), boot].join(' ')}\n`);

const chunkSize = 1024 * 1024;

const hashOf = (disk: Disk, journal: Handle, size: number): RunningHash => {
  const hash = createSha256();
  for (let at = 0; at < size; at += chunkSize)
    hash.update(disk.read(journal, at, Math.min(chunkSize, size - at)));
  return hash;
};
