import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import { gitText, type RunnerGit } from './git.ts';

export interface BareCopyPorts {
  readonly git: RunnerGit;
  readonly disk: Disk;
  readonly random: Random;
  /** Where the copies of repositories are, absolute. */
  readonly directory: string;
  /** Removes a directory with everything in it. */
  readonly removeTree: (path: string) => Promise<void>;
}

/** One copy of a repository. A damaged copy stays where it is, for the work trees that borrow from it; one with the next number takes its place. */
interface BareCopy {
  readonly place: string;
  readonly repository: string;
  readonly number: number;
}

const copyName = /^([0-9a-f]{32})(?:\.(\d{1,6}))?\.git$/u;

/** The copies of a repository, or of all of them, the newest of each first. */
export const copiesIn = (
  { disk, directory }: Pick<BareCopyPorts, 'disk' | 'directory'>,
  repository?: string,
): readonly BareCopy[] => {
  if (disk.lstat(directory) === null) return [];
  return disk
    .readdir(directory)
    .flatMap((name) => {
      const [, of, number = '1'] = copyName.exec(name) ?? [];
      if (of === undefined || (repository !== undefined && of !== repository)) return [];
      return [{ place: join(directory, name), repository: of, number: Number(number) }];
    })
    .toSorted((a, b) => b.number - a.number);
};

const copyOf = (directory: string, repository: string, number: number): BareCopy => ({
  place: join(directory, number === 1 ? `${repository}.git` : `${repository}.${number}.git`),
  repository,
  number,
});

/** The newest copy of a repository. Makes the first one. */
export const currentCopy = async (ports: BareCopyPorts, repository: string): Promise<BareCopy> => {
  const copy = copiesIn(ports, repository)[0] ?? copyOf(ports.directory, repository, 1);
  await ensureCopy(ports, copy.place);
  return copy;
};

/** Makes the copy that takes the place of a damaged one. Of several workers that found the damage, each gets the same. */
export const replaceCopy = async (
  ports: BareCopyPorts,
  { repository, number }: BareCopy,
): Promise<BareCopy> => {
  const next = copyOf(ports.directory, repository, number + 1);
  await ensureCopy(ports, next.place);
  return next;
};

/**
 * Makes an empty copy at `place` unless one is there. Several workers, and several processes of one machine, may ask for the same copy at once: each makes
 * its own aside and renames it, so that a copy is whole from the moment it has its name, and only the first one gets the name.
 */
const ensureCopy = async (ports: BareCopyPorts, place: string): Promise<void> => {
  const { git, disk, random, directory, removeTree } = ports;
  const isThere = (): boolean => disk.lstat(join(place, 'HEAD')) !== null;
  if (isThere()) return;
  disk.mkdir(directory);
  const made = `${place}.new-${random.hex(8)}`;
  try {
    const args = ['init', '--quiet', '--bare', '--template=', made];
    await gitText(git, 'make a copy of the repository', { cwd: directory, args });
    if (isThere()) return;
    // A removal that did not end left this name without a copy.
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
