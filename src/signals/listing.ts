import { join } from 'node:path';
import type { Box } from './box.ts';
import { acksOf } from './broadcast.ts';
import { largestArchived, largestSignal, parseArchived, parseSignal } from './envelope.ts';
import { namesIn, readSmall, type SmallFile } from './files.ts';
import { archiveNames, identify, identityOf, isIdentity } from './identity.ts';
import type { MailboxEntry } from './mailbox.ts';
import { classifyName, nameProblem, parseInstant, parseSignalName } from './names.ts';
import { compareText } from './order.ts';
import { parseClaimName } from './owner.ts';
import { errorSuffix } from './reject.ts';
import { isSameFile } from './sighting.ts';
import type { Letter, Signal } from './signal.ts';

/** Everything in the mailbox, oldest first, also of sessions the prompt agents wrote; reads only. */
export const list = (box: Box): readonly MailboxEntry[] =>
  [...pending(box), ...claimed(box), ...processed(box), ...rejected(box)]
    .map((entry) => ({ entry, at: instantOf(box, entry) }))
    .sort((a, b) => a.at - b.at || compareText(a.entry.file, b.entry.file))
    .map(({ entry }) => entry);

/** One signal wherever it is now, without reading all that was ever archived. */
export const find = (box: Box, { id, file }: Pick<Letter, 'id' | 'file'>): MailboxEntry | null => {
  const places = [
    () => pending(box, [file]),
    () => claimed(box),
    () => processed(box, archiveNames(file, id)),
    () => rejected(box),
  ];
  for (const place of places) {
    const found = place().find((entry) => entry.id === id);
    if (found) return found;
  }
  return null;
};

const pending = (box: Box, names = namesIn(box, box.paths.inputs)): readonly MailboxEntry[] =>
  names.flatMap((file) => {
    if (classifyName(file) === 'scratch') return [];
    const read = readSmall(box, join(box.paths.inputs, file), largestSignal);
    if (read === null) return [];
    const { signal, problem } = contentOf(file, read);
    const id = identify(box, file, read.bytes ?? nothing, read.stat.mtimeMs);
    const error = nameProblem(file) ?? problem;
    return [{ ...entryOf('pending', id, file, signal), acks: acksOf(box, id), error }];
  });

const claimed = (box: Box): readonly MailboxEntry[] =>
  namesIn(box, box.paths.claimed).flatMap((name) => {
    const parsed = parseClaimName(name);
    const read = parsed && readSmall(box, join(box.paths.claimed, name), largestSignal);
    if (!parsed || !read) return [];
    const { signal, problem } = contentOf(parsed.file, read);
    const id = read.bytes && isIdentity(box, parsed.id16, parsed.file, read.bytes, read.stat.mtimeMs);
    return [{ ...entryOf('claimed', id ?? parsed.id16, parsed.file, signal), error: problem }];
  });

/** Archived signals never change: each is read once. */
const processed = (box: Box, names = namesIn(box, box.paths.processed)): readonly MailboxEntry[] =>
  names.flatMap((file) => {
    if (classifyName(file) === 'scratch') return [];
    const path = join(box.paths.processed, file);
    const stat = box.disk.lstat(path);
    const known = box.archived.get(file);
    if (stat && known && isSameFile(known.stat, stat)) return [known.entry];
    const read = readSmall(box, path, largestArchived);
    if (read === null) return [];
    const entry = archivedEntry(box, file, read);
    box.archived.set(file, { stat: read.stat, entry });
    return [entry];
  });

const archivedEntry = (box: Box, file: string, read: SmallFile): MailboxEntry => {
  const { value, problems } = parseArchived(file, read.bytes ?? nothing);
  const { signal, handling } = value;
  const error = read.reason ?? problems[0]?.what ?? null;
  const id = handling?.id ?? identityOf(box, file, read.bytes ?? nothing);
  return { ...entryOf('processed', id, file, signal), handling, acks: handling?.acks ?? [], error };
};

const rejected = (box: Box): readonly MailboxEntry[] => {
  const names = namesIn(box, box.paths.rejected);
  return names.flatMap((file) => {
    if (file.endsWith(errorSuffix)) return [];
    const read = readSmall(box, join(box.paths.rejected, file), largestSignal);
    if (read === null) return [];
    const reason = readSmall(box, join(box.paths.rejected, `${file}${errorSuffix}`), largestSignal)?.bytes;
    const { signal, problem } = contentOf(file, read);
    const error = reason ? new TextDecoder().decode(reason).trim() : (problem ?? 'rejected');
    return [{ ...entryOf('rejected', identityOf(box, file, read.bytes ?? nothing), file, signal), error }];
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

const instantOf = (box: Box, { file, created_at }: MailboxEntry): number =>
  parseSignalName(file, box.clock.offsetMinutes) ??
  (created_at === null ? null : parseInstant(created_at, box.clock.offsetMinutes)) ??
  0;
