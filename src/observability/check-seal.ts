import type { Disk } from '../base/disk.ts';
import { createSha256 } from '../base/hash.io.ts';
import { readText } from '../base/replace-file.ts';
import { scanBlocks } from './journal-file.ts';
import { over, type SealPlace } from './journal-seal.ts';

/** What a journal holds beyond its seal. */
export interface SealCheck {
  /** Every whole line is what this program wrote. */
  readonly whole: boolean;
  /** SHA-256 of all whole lines. */
  readonly digest: string;
  /** Bytes at the beginning that are as this program wrote them; `null`: none are known to be. */
  readonly ours: number | null;
  /** There is a seal. An earlier version wrote none, and another machine has its own. */
  readonly sealed: boolean;
}

/** Compares the whole lines of a journal with its seal. `null`: no seal, or one that somebody else could have written. */
export const checkSeal = (disk: Disk, journal: string, place: SealPlace | null): SealCheck => {
  const { entries, isOver } = place === null ? nothing : readSeal(disk, place.path);
  const last = entries.at(-1);
  // After a power loss the seal may be behind the journal, or the journal behind the seal.
  const isCut = last !== undefined && !isOver && last.boot !== place?.boot;
  const known = new Map(
    (isCut ? entries : entries.slice(isOver ? -1 : -2)).map(({ size, hash }) => [size, hash]),
  );
  const { digest, size, at } = hashesAt(disk, journal, [...known.keys()]);
  const ours = [...at].reduce(
    (most, [end, hash]) => (known.get(end) === hash ? Math.max(most, end) : most),
    -1,
  );
  return {
    whole: ours === size || (isCut && ours >= 0),
    digest,
    ours: ours < 0 ? null : ours,
    sealed: entries.length > 0,
  };
};

const mostBytes = 16 * 1024 * 1024;

interface Entry {
  readonly size: number;
  readonly hash: string;
  readonly boot: string;
}

const nothing: { readonly entries: readonly Entry[]; readonly isOver: boolean } = {
  entries: [],
  isOver: false,
};

/** Before and after each write, in their order. The last line may be torn. */
const readSeal = (disk: Disk, path: string): typeof nothing => {
  const text = disk.lstat(path) === null ? null : readText(disk, path, mostBytes);
  if (text === null) return nothing;
  const lines = text.split('\n').slice(0, -1);
  return {
    isOver: lines.at(-1) === over,
    entries: lines.flatMap((line) => {
      const [size = '', hash = '', nextSize = '', nextHash = '', boot = ''] = line.split(' ');
      if (nextHash === '') return [];
      return [
        { size: Number(size), hash, boot },
        { size: Number(nextSize), hash: nextHash, boot },
      ];
    }),
  };
};

/** Reads the journal once: its hash after each of these bytes, and after its last whole line. */
const hashesAt = (disk: Disk, journal: string, ends: readonly number[]) => {
  const hash = createSha256();
  const at = new Map<number, string>();
  const wanted = [...new Set(ends)].toSorted((one, other) => one - other);
  let size = 0;
  if (wanted[0] === 0) at.set(0, hash.soFar());
  scanBlocks(disk, journal, 0, (block) => {
    let from = 0;
    for (const end of wanted.filter((each) => each > size && each <= size + block.length)) {
      hash.update(block.subarray(from, end - size));
      from = end - size;
      at.set(end, hash.soFar());
    }
    hash.update(block.subarray(from));
    size += block.length;
  });
  return { digest: hash.soFar(), size, at };
};
