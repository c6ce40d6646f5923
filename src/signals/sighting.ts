import { join } from 'node:path';
import type { FileStat } from '../base/disk.ts';
import type { Box, Sighting } from './box.ts';
import { endingOf, largestSignal, parseSignal } from './envelope.ts';
import { readSmall, type SmallFile } from './files.ts';
import { identify } from './identity.ts';
import { nameProblem } from './names.ts';
import { orderOf } from './order.ts';

/** Rule 2, in milliseconds. */
export const settling = { mark: 0, line: 250, open: 2_000, unusable: 10_000 } as const;

/** Whether a file still is what it was when it was seen. */
export const isUnchanged = (sighting: Sighting, stat: FileStat): boolean => isSameFile(sighting.stat, stat);

/** The same file with the same content, as far as its stat tells (rule 3). */
export const isSameFile = (a: FileStat, b: FileStat): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

/** Reads one file of `inputs/`; null when it is gone. */
export const sight = (box: Box, file: string): Sighting | null => {
  const read = readSmall(box, join(box.paths.inputs, file), largestSignal);
  if (read === null) return null;
  const since = box.clock.monotonic();
  const unusable = nameProblem(file) ?? finalReason(read);
  if (unusable !== null) return { stat: read.stat, since, ordered: null, reason: unusable, settleMs: 0 };
  const { bytes, stat } = read;
  if (bytes === null)
    return {
      stat,
      since,
      ordered: null,
      reason: read.reason ?? 'cannot be read',
      settleMs: settling.unusable,
    };
  const { value, problems } = parseSignal(file, bytes);
  if (value === null)
    return {
      stat,
      since,
      ordered: null,
      reason: problems[0]?.what ?? 'is no signal',
      settleMs: settling.unusable,
    };
  const letter = { id: identify(box, file, bytes, stat.mtimeMs), file, signal: value };
  const ordered = orderOf(letter, stat.mtimeMs, box.clock.offsetMinutes);
  return { stat, since, ordered, reason: null, settleMs: settling[endingOf(bytes)] };
};

/** What is no regular file will not become one by being written on. */
const finalReason = (read: SmallFile): string | null => (read.stat.kind === 'file' ? null : read.reason);
