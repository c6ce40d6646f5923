import { join } from 'node:path';
import { type Cancel, type Clock, formatTimestamp } from '../base/clock.ts';
import { type Disk, DiskError } from '../base/disk.ts';
import type { SessionPaths } from '../session/paths.ts';

/** Time between two signs of life, and the time after which a host that gave none is called silent. */
const beatEveryMs = 5_000;
const silentAfterMs = 30_000;

/** Bytes after which the file starts again. */
const mostBytes = 4_096;

const fileOf = ({ lock }: Pick<SessionPaths, 'lock'>): string => join(lock, 'heartbeat');

interface HeartbeatPorts {
  readonly isStillOurs: () => boolean;
  /** Runs work after some milliseconds. An error in it stops the session, never the program. */
  readonly later: (ms: number, work: () => void) => Cancel;
}

/**
 * Shows that the host lives, also where its pid means nothing: in another container or on another machine. Appends a line to
 * `lock/heartbeat` every five seconds; readers look at the time of its last change. Returns the function that stops it.
 */
export const startHeartbeat = (
  disk: Disk,
  clock: Clock,
  paths: Pick<SessionPaths, 'lock'>,
  { isStillOurs, later }: HeartbeatPorts,
): Cancel => {
  const beat = (): void => {
    if (!isStillOurs()) return;
    cancel = later(beatEveryMs, beat);
    write(disk, fileOf(paths), `${formatTimestamp(clock)}\n`);
  };
  let cancel: Cancel = () => {};
  beat();
  return () => cancel();
};

const write = (disk: Disk, path: string, line: string): void => {
  try {
    const handle = disk.openAppend(path);
    try {
      if (disk.stat(handle).size > mostBytes) disk.truncate(handle, 0);
      disk.write(handle, new TextEncoder().encode(line));
    } finally {
      disk.close(handle);
    }
  } catch (error) {
    // A full disk stops the session where its record needs the room.
    if (!(error instanceof DiskError)) throw error;
  }
};

/** Milliseconds since the host's last sign of life; `null` when it never gave one. */
export const sinceLastSign = (
  disk: Disk,
  clock: Pick<Clock, 'now'>,
  paths: Pick<SessionPaths, 'lock'>,
): number | null => {
  try {
    const stat = disk.lstat(fileOf(paths));
    return stat?.kind === 'file' ? Math.max(0, clock.now() - stat.mtimeMs) : null;
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
};

/** Whether a sign of life is fresh enough to say that the host runs. */
export const isFresh = (sinceMs: number | null): boolean => sinceMs !== null && sinceMs < silentAfterMs;

/** "last sign of life 2 s ago", for a host whose process cannot be looked at. */
export const signWords = (sinceMs: number | null): string =>
  sinceMs === null
    ? 'no sign of life'
    : `last sign of life ${sinceMs < 120_000 ? `${Math.round(sinceMs / 1_000)} s` : `${Math.round(sinceMs / 60_000)} min`} ago`;
