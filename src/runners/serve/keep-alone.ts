import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import type { Random } from '../../base/random.ts';
import { acquireLock, isLock, readLock } from '../../session/lock.ts';

interface Ports {
  readonly disk: Disk;
  readonly random: Random;
  readonly spawn: Pick<Spawn, 'self' | 'isAlive'>;
}

/**
 * Takes the right to keep a link, in a directory of its own, and returns what releases it. `null`: a living process keeps it. Two connections of a host that
 * come before the first keeper listens start a keeper each, and two keepers would do the work twice. A holder of an earlier boot is dead: the directory
 * belongs to this machine.
 */
export const keepAlone = ({ disk, random, spawn }: Ports, directory: string): (() => void) | null => {
  const lock = acquireLock(disk, random, { lock: directory }, spawn.self, spawn.isAlive, { takeOver: true });
  return isLock(lock) ? lock.release : null;
};

/** Milliseconds after which a link without a keeper is not taken up again: its host has given it up long before. */
const oldMs = 86_400_000;

/** Removes the lock of each link in `links` whose keeper ended a day ago or earlier, and what `leftOf` names beside it. */
export const tidyLinks = (
  { disk, spawn, clock }: Pick<Ports, 'disk' | 'spawn'> & { readonly clock: Pick<Clock, 'now'> },
  links: string,
  leftOf: (link: string) => string,
): void => {
  if (disk.lstat(links) === null) return;
  for (const link of disk.readdir(links)) {
    const lock = join(links, link);
    const found = disk.lstat(lock);
    if (found?.kind !== 'directory' || clock.now() - found.mtimeMs < oldMs) continue;
    const holder = readLock(disk, { lock });
    const isOurs = holder !== null && !holder.released && holder.boot === spawn.self.boot;
    if (isOurs && spawn.isAlive(holder) !== 'dead') continue;
    for (const name of disk.readdir(lock)) disk.unlink(join(lock, name));
    disk.rmdir(lock);
    if (disk.lstat(leftOf(link)) !== null) disk.unlink(leftOf(link));
  }
};
