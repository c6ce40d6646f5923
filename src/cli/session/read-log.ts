import type { LogMatches, LogPage, LogPageLine } from '../../../components/ports/viewer-port.ts';
import type { Disk } from '../../base/disk.ts';
import type { World } from '../world.ts';

/** Bytes read for the screen, before and behind the position. */
const before = 16 * 1024;
const behind = 48 * 1024;
/** Bytes. Longer lines are cut into pieces, so that even a line of 100 MB is readable. */
const longestPiece = 4_000;

/** The lines around byte `at` of a log file; a symbolic link or a directory is no log. */
export const readLogPage = (disk: Disk, path: string, at: number | 'end'): LogPage | null => {
  const size = sizeOf(disk, path);
  if (size === null) return null;
  const middle = at === 'end' ? size : Math.max(0, Math.min(at, size));
  const from = Math.max(0, middle - (at === 'end' ? behind : before));
  const bytes = readPart(disk, path, from, Math.min(size, middle + behind) - from);
  const first = from === 0 ? 0 : bytes.indexOf(10) + 1;
  const lines = linesOf(bytes, from, first);
  return { size, from: from + first, to: from + bytes.length, lines };
};

const linesOf = (bytes: Uint8Array, from: number, first: number): readonly LogPageLine[] => {
  const decoder = new TextDecoder();
  const lines: LogPageLine[] = [];
  let start = first;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    const stop = end < 0 ? bytes.length : end;
    for (let piece = start; piece < stop || piece === start; piece += longestPiece)
      lines.push({
        at: from + piece,
        text: decoder.decode(bytes.subarray(piece, Math.min(stop, piece + longestPiece))),
      });
    start = stop + 1;
  }
  return lines;
};

const chunk = 512 * 1024;
/** Most matches; for more there is `grep`. */
const mostMatches = 1_000;
/** A line up to this many bytes is matched as a whole. */
const longestCarry = 64 * 1024;

/**
 * Searches the whole file for `text`, ignoring case. Reads one chunk each turn of the event loop, so that keys
 * never wait. Reports one match per line. Compares bytes as Latin-1, so that every index is a position in the
 * file.
 */
export const searchLogFile = (
  { disk, clock }: Pick<World, 'disk' | 'clock'>,
  path: string,
  text: string,
  tell: (found: LogMatches) => void,
): (() => void) => {
  const latin = new TextDecoder('latin1');
  const wanted = latin.decode(new TextEncoder().encode(text)).toLowerCase();
  const at: number[] = [];
  let from = 0;
  let told = clock.monotonic();
  const step = (): void => {
    const bytes = readPart(disk, path, from, chunk);
    const last = bytes.length < chunk;
    const cut = last ? bytes.length : wholeLines(bytes);
    collect(latin.decode(bytes.subarray(0, cut)).toLowerCase(), wanted, from, at);
    from += cut;
    const more = at.length > mostMatches;
    const done = last || more;
    if (done || clock.monotonic() - told >= 100) {
      told = clock.monotonic();
      tell({ at: at.slice(0, mostMatches), done, more });
    }
    if (!done) cancel = clock.after(0, step);
  };
  let cancel = clock.after(0, step);
  return () => cancel();
};

const wholeLines = (bytes: Uint8Array): number => {
  const end = bytes.lastIndexOf(10) + 1;
  return end > bytes.length - longestCarry ? end : bytes.length;
};

const collect = (chunkText: string, wanted: string, from: number, at: number[]): void => {
  let place = chunkText.indexOf(wanted);
  while (place >= 0 && at.length <= mostMatches) {
    at.push(from + chunkText.lastIndexOf('\n', place) + 1);
    const next = chunkText.indexOf('\n', place);
    place = next < 0 ? -1 : chunkText.indexOf(wanted, next);
  }
};

const sizeOf = (disk: Disk, path: string): number | null => {
  const stat = disk.lstat(path);
  return stat?.kind === 'file' ? stat.size : null;
};

const readPart = (disk: Disk, path: string, from: number, length: number): Uint8Array => {
  if (sizeOf(disk, path) === null) return new Uint8Array();
  const handle = disk.openRead(path);
  try {
    return disk.read(handle, from, Math.max(0, length));
  } finally {
    disk.close(handle);
  }
};
