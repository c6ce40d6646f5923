import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import { gitText, type RunnerGit } from './git.ts';

export interface BareCopyPorts {
  readonly git: RunnerGit;
  readonly disk: Disk;
  readonly random: Random;
  /** Where the copies of repositories lie, absolute. */
  readonly directory: string;
  /** Removes a directory with everything in it. */
  readonly removeTree: (path: string) => Promise<void>;
}

/**
 * Makes an empty copy at `place` unless one is there. Several workers, and several processes of one machine, may ask for the same copy at once: each makes
 * its own aside and renames it, so that a copy is whole from the moment it has its name, and only the first one gets the name.
 */
export const ensureCopy = async (ports: BareCopyPorts, place: string): Promise<void> => {
  const { git, disk, random, directory, removeTree } = ports;
  const isThere = (): boolean => disk.lstat(join(place, 'HEAD')) !== null;
  if (isThere()) return;
  disk.mkdir(directory);
  const made = `${place}.new-${random.hex(8)}`;
  try {
    const args = ['init', '--quiet', '--bare', '--template=', made];
    await gitText(git, 'make a copy of the repository', { cwd: directory, args });
    if (isThere()) return;
    // What has the name without being a copy was left by a removal that did not end.
    if (disk.lstat(place) !== null) await removeCopy(ports, place);
    try {
      disk.rename(made, place);
    } catch (error) {
      if (!isThere()) throw error;
    }
  } finally {
    if (disk.lstat(made) !== null) await removeTree(made);
  }
};

/** Removes a copy: its name is free at once, its files afterwards. Silent when another worker removed it first. */
export const removeCopy = async (
  { disk, random, removeTree }: BareCopyPorts,
  place: string,
): Promise<void> => {
  const aside = `${place}.old-${random.hex(8)}`;
  try {
    disk.rename(place, aside);
  } catch (error) {
    if (disk.lstat(place) === null) return;
    throw error;
  }
  await removeTree(aside);
};
