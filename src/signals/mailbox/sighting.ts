import { join } from 'node:path';
import type { FileStat } from '../../base/disk.ts';
import { endingOf, largestSignal, parseSignal } from '../envelope.ts';
import { orderOf } from '../order.ts';
import { readSmall, type SmallFile } from './files.ts';
import { identify } from './identity.ts';
import type { MailboxParts, Sighting } from './mailbox-parts.ts';
import { nameProblem } from './names.ts';

/** Rule 2, in milliseconds. */
const settling = { mark: 0, line: 250, open: 2_000, unusable: 10_000 } as const;

/** Whether a file is unchanged since its sighting. */
export const isUnchanged = (sighting: Sighting, stat: FileStat): boolean => isSameFile(sighting.stat, stat);

/** Whether both are the same file with the same content, judged by stat (rule 3). */
export const isSameFile = (a: FileStat, b: FileStat): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

/** Reads one file of `inputs/`; null when it no longer exists. */
export const sight = (parts: MailboxParts, file: string): Sighting | null => {
  const read = readSmall(parts, join(parts.paths.inputs, file), largestSignal);
  if (read === null) return null;
  const since = parts.clock.monotonic();
  const unusable = nameProblem(file) ?? finalReason(read);
  if (unusable !== null) return { stat: read.stat, since, ordered: null, reason: unusable, settleMs: 0 };
  const { bytes, stat } = read;
  if (bytes === null)
    return {
      stat,
      since: restingSince(parts, stat),
      ordered: null,
      reason: read.reason ?? 'cannot be read',
      settleMs: settling.unusable,
    };
  const { value, problems } = parseSignal(file, bytes);
  if (value === null)
    return {
      stat,
      since: restingSince(parts, stat),
      ordered: null,
      reason: problems[0]?.what ?? 'is not a signal',
      settleMs: settling.unusable,
    };
  const pendingSignal = { id: identify(parts, file, bytes, stat.mtimeMs), file, signal: value };
  const ordered = orderOf(pendingSignal, stat.mtimeMs, parts.clock.offsetMinutes);
  return { stat, since, ordered, reason: null, settleMs: settling[endingOf(bytes)] };
};

/**
 * The time since when an unusable file is unchanged, by the file system's clock: a program that starts after the write need not wait again. Ignores a
 * time in the future.
 */
const restingSince = ({ clock }: MailboxParts, { mtimeMs, ctimeMs }: FileStat): number =>
  clock.monotonic() - Math.max(0, clock.now() - Math.max(mtimeMs, ctimeMs));

/** Writing to a file cannot turn it into a regular one, so the reason is final. */
const finalReason = (read: SmallFile): string | null => (read.stat.kind === 'file' ? null : read.reason);
