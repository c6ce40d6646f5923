import type { GroupActivity } from '../../base/process/group-activity.io.ts';
import type { GitCall } from '../git.ts';

/** How long a call of git may take, in milliseconds. */
export interface Patience {
  /** From the start to the first look. Nearly every call is over before. */
  readonly firstMs: number;
  /** From one look to the next. */
  readonly everyMs: number;
  /** Without CPU time and without a byte read or written. */
  readonly idleMs: number;
  /** With CPU time, without a byte read or written: a pattern that takes for ever. */
  readonly spinMs: number;
  readonly totalMs: number;
}

export const patienceOf = ({ far }: Pick<GitCall, 'far'>): Patience => (far ? ofFar : ofLocal);

const ofLocal: Patience = {
  firstMs: 2_000,
  everyMs: 1_000,
  idleMs: 10_000,
  spinMs: 120_000,
  totalMs: 30 * 60_000,
};

/** Another machine may think, and the packing of a large history reads by mapped memory only. */
const ofFar: Patience = { ...ofLocal, idleMs: 5 * 60_000, spinMs: 30 * 60_000, totalMs: 2 * 60 * 60_000 };

/** What was seen of a call so far. */
export interface Seen {
  readonly last: GroupActivity | null;
  /** Milliseconds without a sign of progress. */
  readonly idle: number;
  readonly spun: number;
  readonly total: number;
  /** Looks in a row at which it waited for the other end of a FIFO. */
  readonly atFifo: number;
}

export const nothingSeen: Seen = { last: null, idle: 0, spun: 0, total: 0, atFifo: 0 };

/**
 * Adds one look. Time counts from look to look: while this program was suspended or busy, git was perhaps suspended as well, and at most one look
 * is missing.
 */
export const look = (seen: Seen, now: GroupActivity | null, sinceMs: number): Seen => {
  const total = seen.total + sinceMs;
  if (now === null) return { ...nothingSeen, total };
  const { last } = seen;
  const isQuiet = last !== null && last.bytes === now.bytes;
  const isIdle = isQuiet && last.ticks === now.ticks && now.waits;
  return {
    last: now,
    total,
    idle: isIdle ? seen.idle + sinceMs : 0,
    spun: isQuiet ? seen.spun + sinceMs : 0,
    atFifo: now.atFifo ? seen.atFifo + 1 : 0,
  };
};

/** Why a call has taken too long; `null` while it may continue. */
export const whyTooLong = (seen: Seen, { idleMs, spinMs, totalMs }: Patience): string | null => {
  // git opens no FIFO of its own: one in the work tree has the name of a file that git reads, and nobody writes to it.
  if (seen.atFifo >= 2)
    return 'git waited for a FIFO; a file such as .gitignore or .gitattributes is one there';
  if (seen.idle >= idleMs) return `git did nothing for ${seconds(idleMs)}`;
  if (seen.spun >= spinMs) return `git computed for ${seconds(spinMs)} without reading or writing anything`;
  return seen.total >= totalMs ? `git took longer than ${seconds(totalMs)}` : null;
};

const seconds = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 60_000)} minutes`;
