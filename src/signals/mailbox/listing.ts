import { join } from 'node:path';
import { largestArchived, largestSignal, parseArchived, parseSignal } from '../envelope.ts';
import type { MailboxEntry } from '../mailbox.ts';
import { compareText } from '../order.ts';
import type { PendingSignal, Signal } from '../signal.ts';
import { acksOf, unfinishedBroadcasts } from './broadcast.ts';
import { namesIn, readSmall, type SmallFile } from './files.ts';
import { archiveNames, identify, identityOf, isIdentity } from './identity.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { classifyName, nameProblem, parseInstant, parseSignalName } from './names.ts';
import { parseClaimName } from './owner.ts';
import { errorSuffix } from './reject.ts';
import { isSameFile } from './sighting.ts';

/** All signals of the mailbox, oldest first, also of sessions by the prompt agents. Only reads. */
export const list = (parts: MailboxParts): readonly MailboxEntry[] => {
  const files = [...pending(parts), ...claimed(parts), ...processed(parts), ...rejected(parts)];
  return [...files, ...halfDelivered(parts, files)]
    .map((entry) => ({ entry, at: instantOf(parts, entry) }))
    .sort((a, b) => a.at - b.at || compareText(a.entry.file, b.entry.file))
    .map(({ entry }) => entry);
};

/** Frozen broadcasts without their file, which somebody removed or wrote over: they are delivered all the same. */
const halfDelivered = (parts: MailboxParts, others: readonly MailboxEntry[]): readonly MailboxEntry[] => {
  const frozen = unfinishedBroadcasts(parts);
  if (frozen.length === 0) return [];
  // A claim may be known by the first half of its id only.
  const known = new Set(others.map(({ id }) => id.slice(0, 16)));
  return frozen
    .filter(({ id }) => !known.has(id.slice(0, 16)))
    .map(({ id, file, signal }) => ({ ...entryOf('pending', id, file, signal), acks: acksOf(parts, id) }));
};

/** One signal in any directory, without reading the whole archive. */
export const find = (
  parts: MailboxParts,
  { id, file }: Pick<PendingSignal, 'id' | 'file'>,
): MailboxEntry | null => {
  const places = [
    () => pending(parts, [file]),
    () => claimed(parts, id),
    () => processed(parts, archiveNames(file, id)),
    () => rejected(parts),
  ];
  for (const place of places) {
    const found = place().find((entry) => entry.id === id);
    if (found) return found;
  }
  return null;
};

const pending = (parts: MailboxParts, names = namesIn(parts, parts.paths.inputs)): readonly MailboxEntry[] =>
  names.flatMap((file) => {
    if (classifyName(file) === 'scratch') return [];
    const read = readSmall(parts, join(parts.paths.inputs, file), largestSignal);
    if (read === null) return [];
    const { signal, problem } = contentOf(file, read);
    const id = identify(parts, file, read.bytes ?? nothing, read.stat.mtimeMs);
    const error = nameProblem(file) ?? problem;
    return [{ ...entryOf('pending', id, file, signal), acks: acksOf(parts, id), error }];
  });

/** The ids of all signals in `claimed/`, for who follows many of them: to `find` each would list the directory as often. */
export const held = (parts: MailboxParts): ReadonlySet<string> => new Set(claimed(parts).map(({ id }) => id));

/** A claim never changes while it keeps its name: each is read once. `of`: only what may have this id. */
const claimed = (parts: MailboxParts, of?: string): readonly MailboxEntry[] => {
  const names = namesIn(parts, parts.paths.claimed);
  const entries = names.flatMap((name) => {
    const parsed = parseClaimName(name);
    if (!parsed || of?.startsWith(parsed.id16) === false) return [];
    const path = join(parts.paths.claimed, name);
    const stat = parts.disk.lstat(path);
    const known = parts.taken.get(name);
    if (stat && known && isSameFile(known.stat, stat)) return [known.entry];
    const read = readSmall(parts, path, largestSignal);
    if (!read) return [];
    const { signal, problem } = contentOf(parsed.file, read);
    const id = read.bytes && isIdentity(parts, parsed.id16, parsed.file, read.bytes, read.stat.mtimeMs);
    const entry = { ...entryOf('claimed', id ?? parsed.id16, parsed.file, signal), error: problem };
    parts.taken.set(name, { stat: read.stat, entry });
    return [entry];
  });
  const there = new Set(names);
  for (const name of parts.taken.keys()) if (!there.has(name)) parts.taken.delete(name);
  return entries;
};

/** Archived signals never change: each is read once. */
const processed = (
  parts: MailboxParts,
  names = namesIn(parts, parts.paths.processed),
): readonly MailboxEntry[] =>
  names.flatMap((file) => {
    if (classifyName(file) === 'scratch') return [];
    const path = join(parts.paths.processed, file);
    const stat = parts.disk.lstat(path);
    const known = parts.archived.get(file);
    if (stat && known && isSameFile(known.stat, stat)) return [known.entry];
    const read = readSmall(parts, path, largestArchived);
    if (read === null) return [];
    const entry = archivedEntry(parts, file, read);
    parts.archived.set(file, { stat: read.stat, entry });
    return [entry];
  });

const archivedEntry = (parts: MailboxParts, file: string, read: SmallFile): MailboxEntry => {
  const { value, problems } = parseArchived(file, read.bytes ?? nothing);
  const { signal, handling } = value;
  const error = read.reason ?? problems[0]?.what ?? null;
  const id = handling?.id ?? identityOf(parts, file, read.bytes ?? nothing);
  return { ...entryOf('processed', id, file, signal), handling, acks: handling?.acks ?? [], error };
};

const rejected = (parts: MailboxParts): readonly MailboxEntry[] => {
  const names = namesIn(parts, parts.paths.rejected);
  return names.flatMap((file) => {
    if (file.endsWith(errorSuffix)) return [];
    const read = readSmall(parts, join(parts.paths.rejected, file), largestSignal);
    if (read === null) return [];
    const reason = readSmall(
      parts,
      join(parts.paths.rejected, `${file}${errorSuffix}`),
      largestSignal,
    )?.bytes;
    const { signal, problem } = contentOf(file, read);
    const error = reason ? new TextDecoder().decode(reason).trim() : (problem ?? 'rejected');
    return [{ ...entryOf('rejected', identityOf(parts, file, read.bytes ?? nothing), file, signal), error }];
  });
};

const nothing = new Uint8Array(0);

const contentOf = (
  file: string,
  read: SmallFile,
): { readonly signal: Signal | null; readonly problem: string | null } => {
  if (read.bytes === null) return { signal: null, problem: read.reason };
  const { value, problems } = parseSignal(file, read.bytes);
  return { signal: value, problem: problems[0]?.what ?? null };
};

const entryOf = (
  stage: MailboxEntry['stage'],
  id: string,
  file: string,
  signal: Signal | null,
): MailboxEntry => ({
  stage,
  id,
  file,
  signal,
  created_at: signal?.created_at ?? null,
  handling: null,
  acks: [],
  error: null,
});

const instantOf = (parts: MailboxParts, { file, created_at }: MailboxEntry): number =>
  parseSignalName(file, parts.clock.offsetMinutes) ??
  (created_at === null ? null : parseInstant(created_at, parts.clock.offsetMinutes)) ??
  0;
