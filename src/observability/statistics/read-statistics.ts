import type { Disk } from '../../base/disk.ts';
import type { Event } from '../../pipeline/event.ts';
import { createJournalCheck } from '../journal-check.ts';
import { scanBlocks } from '../journal-file.ts';
import { countedTypes, type StatisticsCount } from './statistics.ts';

/**
 * Counts one journal. Lines of types that do not count are skipped unparsed: they are most of a long journal. A line that is not an event is skipped too;
 * opening the session reports it.
 */
export const countJournal = (
  disk: Disk,
  path: string,
  statistics: Pick<StatisticsCount, 'begin' | 'take'>,
): void => {
  const check = createJournalCheck(path, null);
  statistics.begin();
  scanBlocks(disk, path, 0, (block) => {
    for (const event of check.events(countedLines(block))) statistics.take(event);
  });
};

/** The lines that count, as a block of whole lines. */
const countedLines = (block: Uint8Array): Uint8Array => {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < block.length; ) {
    const end = block.indexOf(newline, at) + 1;
    if (end === 0) break;
    if (isCounted(block, at, end)) parts.push(block.subarray(at, end));
    at = end;
  }
  return joined(parts);
};

const newline = 0x0a;
const quote = 0x22;
const start = new TextEncoder().encode('{"type":"');

/** Whether the line may count: its type does, or does not come first. */
const isCounted = (block: Uint8Array, at: number, end: number): boolean => {
  for (let index = 0; index < start.length; index += 1) if (block[at + index] !== start[index]) return true;
  let node: Tree | undefined = tree;
  for (let index = at + start.length; index < end; index += 1) {
    const letter = block[index];
    if (letter === undefined) return true;
    if (letter === quote) return node.ends;
    node = node.next.get(letter);
    if (node === undefined) return false;
  }
  return true;
};

/** The types by their letters. */
interface Tree {
  readonly next: Map<number, Tree>;
  ends: boolean;
}

const treeOf = (words: Iterable<Event['type']>): Tree => {
  const root: Tree = { next: new Map(), ends: false };
  for (const word of words) {
    let node = root;
    for (const letter of new TextEncoder().encode(word)) {
      const next: Tree = node.next.get(letter) ?? { next: new Map(), ends: false };
      node.next.set(letter, next);
      node = next;
    }
    node.ends = true;
  }
  return root;
};

const tree = treeOf(countedTypes);

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
