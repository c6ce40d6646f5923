import { join } from 'node:path';
import { discard } from '../../base/temporary-file.ts';
import { type BareCopyPorts, copiesIn, removeCopy } from './bare-copy.ts';

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
 * Removes copies, the least recently used first, until the rest keeps within the bound; a damaged copy, which another one has replaced, goes before. A copy
 * that work trees borrow from, and one that holds work which no host has taken, stay.
 */
export const trimCopies = async (ports: BareCopyPorts, { inUse, now, mostBytes }: Trim): Promise<void> => {
  const { disk, directory, removeTree } = ports;
  if (disk.lstat(directory) === null) return;
  const isOlder = (path: string, ms: number): boolean => now - (disk.lstat(path)?.mtimeMs ?? now) > ms;
  const all = copiesIn(ports);
  const places = new Set(all.map(({ place }) => place));
  for (const name of disk.readdir(directory)) {
    const place = join(directory, name);
    if (!places.has(place) && isOlder(place, leftMs)) await removeTree(place);
  }
  const copies = [];
  for (const copy of all) {
    const { place } = copy;
    for (const file of disk.readdir(place))
      if (file.startsWith('upload-') && isOlder(join(place, file), leftMs)) discard(disk, join(place, file));
    const isReplaced = all.some(
      ({ repository, number }) => repository === copy.repository && number > copy.number,
    );
    copies.push({ ...copy, isReplaced, ...(await measure(ports, place)), used: usedAt(disk, place) });
  }
  let total = copies.reduce((sum, { bytes }) => sum + bytes, 0);
  const first = (copy: { readonly isReplaced: boolean }): number => (copy.isReplaced ? 0 : 1);
  for (const copy of copies.toSorted((a, b) => first(a) - first(b) || a.used - b.used)) {
    if (total <= mostBytes && !copy.isReplaced) return;
    if (inUse.has(copy.repository) || now - copy.used < freshMs || copy.holdsLate) continue;
    await removeCopy(ports, copy.place);
    total -= copy.bytes;
  }
};

/** What a copy holds. One that git cannot read any more holds nothing that could be brought home. */
const measure = async (
  { git }: BareCopyPorts,
  place: string,
): Promise<{ readonly bytes: number; readonly holdsLate: boolean }> => {
  const text = async (...args: readonly string[]): Promise<string> => {
    const { code, out } = await git.run({ cwd: place, gitDir: place, args });
    return code === 0 ? new TextDecoder().decode(out).trim() : '';
  };
  const late = await text('for-each-ref', '--count=1', 'refs/late');
  return { bytes: bytesOf(await text('count-objects', '-v')), holdsLate: late !== '' };
};

const usedAt = (disk: BareCopyPorts['disk'], place: string): number =>
  disk.lstat(join(place, usedFile))?.mtimeMs ?? 0;

/** Of `git count-objects -v`, which counts in KiB. */
const bytesOf = (counted: string): number =>
  [...counted.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gmu)].reduce(
    (sum, [, kib]) => sum + Number(kib) * 1_024,
    0,
  );
