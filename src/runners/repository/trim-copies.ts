import { join } from 'node:path';
import { discard } from '../../base/temporary-file.ts';
import { type BareCopyPorts, removeCopy } from './bare-copy.ts';
import { gitText } from './git.ts';

export interface Trim {
  /** Repositories that work trees borrow objects from. */
  readonly inUse: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The most bytes of all copies together. */
  readonly mostBytes: number;
}

/** Every request for a copy writes this file in it: its time says when the copy was last used. */
export const usedFile = 'ralph-used';

/** Milliseconds in which a copy may be about to be used: its work tree is not there yet. */
const freshMs = 3_600_000;
/** Milliseconds after which what a process left behind is nobody's. */
const leftMs = 86_400_000;

/**
 * Removes copies, the least recently used first, until the rest keeps within the bound. A copy that work trees borrow from, and one that holds work which no
 * host has taken, stay.
 */
export const trimCopies = async (ports: BareCopyPorts, { inUse, now, mostBytes }: Trim): Promise<void> => {
  const { git, disk, directory, removeTree } = ports;
  if (disk.lstat(directory) === null) return;
  const isOlder = (path: string, ms: number): boolean => now - (disk.lstat(path)?.mtimeMs ?? now) > ms;
  const copies = [];
  for (const name of disk.readdir(directory)) {
    const place = join(directory, name);
    const [, repository] = /^([0-9a-f]{32})\.git$/u.exec(name) ?? [];
    if (repository === undefined) {
      if (isOlder(place, leftMs)) await removeTree(place);
      continue;
    }
    for (const file of disk.readdir(place))
      if (file.startsWith('upload-') && isOlder(join(place, file), leftMs)) discard(disk, join(place, file));
    const here = { cwd: place, gitDir: place };
    const counted = await gitText(git, 'measure a copy', { ...here, args: ['count-objects', '-v'] });
    const used = disk.lstat(join(place, usedFile))?.mtimeMs ?? 0;
    copies.push({ place, repository, bytes: bytesOf(counted), used });
  }
  let total = copies.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { place, repository, bytes, used } of copies.toSorted((a, b) => a.used - b.used)) {
    if (total <= mostBytes) return;
    if (inUse.has(repository) || now - used < freshMs) continue;
    const late = { cwd: place, gitDir: place, args: ['for-each-ref', '--count=1', 'refs/late'] };
    if ((await gitText(git, 'list late work', late)) !== '') continue;
    await removeCopy(ports, place);
    total -= bytes;
  }
};

/** Of `git count-objects -v`, which counts in KiB. */
const bytesOf = (counted: string): number =>
  [...counted.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gmu)].reduce(
    (sum, [, kib]) => sum + Number(kib) * 1_024,
    0,
  );
