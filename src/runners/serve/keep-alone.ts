import type { Disk } from '../../base/disk.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import type { Random } from '../../base/random.ts';
import { acquireLock, isLock } from '../../session/lock.ts';

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
