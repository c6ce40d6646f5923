import { join } from 'node:path';
import type { ArchivedHandling } from '../archived-handling.ts';
import { largestArchived, parseArchived } from '../envelope.ts';
import { readSmall } from './files.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { suffixName } from './names.ts';

/**
 * Rule 6: `id = sha256(name, bytes)`.
 *
 * The same text under the same name, written again after the first was handled, is a new signal: when `processed/` holds that id from before this
 * file was written, the instant of writing joins the identity. A leftover of a crash is older than its archive and keeps its id. Within one tick
 * of the file system's clock, `written_at` in the archive decides.
 */
export const identify = (parts: MailboxParts, file: string, bytes: Uint8Array, mtimeMs: number): string => {
  const id = identityOf(parts, file, bytes);
  const archived = parts.disk.lstat(join(parts.paths.processed, file));
  if (archived === null || archived.mtimeMs > mtimeMs) return id;
  const handling = archivedHandling(parts, file);
  if (handling?.id !== id) return id;
  const written = formatWritten(mtimeMs);
  const isLeftover = archived.mtimeMs === mtimeMs && (handling.written_at ?? written) === written;
  return isLeftover ? id : repeatedIdentityOf(parts, file, bytes, mtimeMs);
};

/** The instant when a signal's file was written, for its archive. A file may have a time outside the calendar. */
export const formatWritten = (mtimeMs: number): string =>
  Math.abs(mtimeMs) <= 8.64e15 ? new Date(mtimeMs).toISOString() : String(mtimeMs);

/** Returns the id when the bytes under this name are the signal with that id or prefix of an id. */
export const isIdentity = (
  parts: MailboxParts,
  id: string,
  file: string,
  bytes: Uint8Array,
  mtimeMs: number,
): string | null => {
  const both = [identityOf(parts, file, bytes), repeatedIdentityOf(parts, file, bytes, mtimeMs)];
  return both.find((candidate) => candidate.startsWith(id)) ?? null;
};

/** The id in the `handling_metadata` of a file in `processed/`, or null. */
export const archivedId = (parts: MailboxParts, name: string): string | null =>
  archivedHandling(parts, name)?.id ?? null;

const archivedHandling = (parts: MailboxParts, name: string): ArchivedHandling | null => {
  const bytes = readSmall(parts, join(parts.paths.processed, name), largestArchived)?.bytes;
  return bytes ? parseArchived(name, bytes).value.handling : null;
};

/** The possible names of a signal's archive, derived from its claim alone: a repeated run after a crash finds the existing file. */
export const archiveNames = (file: string, id: string): readonly string[] => [
  file,
  suffixName(file, id.slice(0, 16)),
  suffixName(file, id),
];

/**
 * Whether the signal has an end in `processed/` or `rejected/`. A power loss may bring its file back into `inputs/` or `claimed/`. The recorded end
 * stands, and the signal is not handled again. Makes that end durable before returning true, because the caller removes the returned file: a program
 * may have died right after linking the end.
 */
export const hasEnded = (parts: MailboxParts, file: string, id: string): boolean => {
  const { processed, rejected } = parts.paths;
  const isArchived = archiveNames(file, id).some((name) => archivedId(parts, name) === id);
  if (!isArchived && !isRejected(parts, file, id)) return false;
  parts.disk.flushDirectory(isArchived ? processed : rejected);
  return true;
};

/** Whether it was rejected before. A power loss may bring its file back, and the rejection stands. */
export const isRejected = (parts: MailboxParts, file: string, id: string): boolean => {
  const bytes = readSmall(parts, join(parts.paths.rejected, file), largestArchived)?.bytes;
  return bytes ? identityOf(parts, file, bytes) === id : false;
};

export const identityOf = (parts: MailboxParts, file: string, bytes: Uint8Array): string =>
  digest(parts, `${file}\0`, bytes);

const repeatedIdentityOf = (parts: MailboxParts, file: string, bytes: Uint8Array, mtimeMs: number): string =>
  digest(parts, `${file}\0${mtimeMs}\0`, bytes);

const digest = (parts: MailboxParts, prefix: string, bytes: Uint8Array): string => {
  const head = new TextEncoder().encode(prefix);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  return parts.options.hash(all);
};
