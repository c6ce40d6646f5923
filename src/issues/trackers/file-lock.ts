import { DiskError, diskCode } from '../../base/disk.ts';
import { writeNew } from '../../base/replace-file.ts';
import type { TrackerPorts } from './tracker.ts';

/** A writer holds the lock for one read and one write. One that is older than this died in between. */
const abandonedAfterMs = 10_000;
const retryAfterMs = 10;
const patienceMs = 20_000;

/**
 * Runs `work` while no other program that uses this function works on the same file: of two writers none loses a line. Throws what `work` throws, and
 * `DiskError` `EBUSY` when another writer does not finish.
 */
export const withFileLock = async <T>(
  ports: TrackerPorts,
  path: string,
  work: () => T | Promise<T>,
): Promise<T> => {
  const { disk, clock, random } = ports;
  const lock = `${path}.lock`;
  const begun = clock.monotonic();
  while (!taken(ports, lock, random.hex(16))) {
    if (clock.monotonic() - begun > patienceMs) throw new DiskError('EBUSY', 'write', path);
    removeAbandoned(ports, lock);
    await new Promise<void>((resolve) => void clock.after(retryAfterMs, resolve));
  }
  try {
    const done = await work();
    ports.wrote?.(path);
    return done;
  } finally {
    unlinkIfThere(disk, lock);
  }
};

const taken = ({ disk, random }: TrackerPorts, lock: string, content: string): boolean => {
  try {
    writeNew(disk, random, lock, content);
    return true;
  } catch (error) {
    if (diskCode(error) === 'EEXIST') return false;
    throw error;
  }
};

/**
 * Removes a lock whose writer died. It is renamed first and looked at again, because two programs may find the same one old: the second of them would
 * take away the fresh lock of the first.
 */
const removeAbandoned = ({ disk, clock, random }: TrackerPorts, lock: string): void => {
  const old = disk.lstat(lock);
  if (old === null || clock.now() - old.mtimeMs < abandonedAfterMs) return;
  const aside = `${lock}.${random.hex(8)}`;
  try {
    disk.rename(lock, aside);
    if (disk.lstat(aside)?.ino !== old.ino) disk.link(aside, lock);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(diskCode(error))) throw error;
  }
  unlinkIfThere(disk, aside);
};

const unlinkIfThere = (disk: TrackerPorts['disk'], path: string): void => {
  try {
    disk.unlink(path);
  } catch (error) {
    if (diskCode(error) !== 'ENOENT') throw error;
  }
};
