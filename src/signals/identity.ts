import { join } from 'node:path';
import type { Box } from './box.ts';
import { type ArchivedHandling, largestArchived, parseArchived } from './envelope.ts';
import { readSmall } from './files.ts';
import { suffixName } from './names.ts';

/**
 * Rule 6: `id = sha256(name, bytes)`.
 *
 * Somebody who writes the same text under the same name again, after the first was handled, means it again: when `processed/` holds that id from
 * before this file was written, the instant of writing joins the identity. A leftover of a crash is older than its archive and keeps its id; in one tick of
 * the file system's clock the archive itself says when the file was written whose end it tells.
 */
export const identify = (box: Box, file: string, bytes: Uint8Array, mtimeMs: number): string => {
  const id = identityOf(box, file, bytes);
  const archived = box.disk.lstat(join(box.paths.processed, file));
  if (archived === null || archived.mtimeMs > mtimeMs) return id;
  const handling = archivedHandling(box, file);
  if (handling?.id !== id) return id;
  const written = formatWritten(mtimeMs);
  const isLeftover = archived.mtimeMs === mtimeMs && (handling.written_at ?? written) === written;
  return isLeftover ? id : repeatedIdentityOf(box, file, bytes, mtimeMs);
};

/** When a signal's file was written, as its archive says it. A file may claim a time that no calendar has. */
export const formatWritten = (mtimeMs: number): string =>
  Math.abs(mtimeMs) <= 8.64e15 ? new Date(mtimeMs).toISOString() : String(mtimeMs);

/** Whether the bytes under this name are the signal of that id, or of an id that starts so. */
export const isIdentity = (
  box: Box,
  id: string,
  file: string,
  bytes: Uint8Array,
  mtimeMs: number,
): string | null => {
  const both = [identityOf(box, file, bytes), repeatedIdentityOf(box, file, bytes, mtimeMs)];
  return both.find((candidate) => candidate.startsWith(id)) ?? null;
};

/** The id in the `handling_metadata` of a file in `processed/`, or null. */
export const archivedId = (box: Box, name: string): string | null => archivedHandling(box, name)?.id ?? null;

const archivedHandling = (box: Box, name: string): ArchivedHandling | null => {
  const bytes = readSmall(box, join(box.paths.processed, name), largestArchived)?.bytes;
  return bytes ? parseArchived(name, bytes).value.handling : null;
};

/** The names a signal may be archived under, given by its claim alone: doing it again after a crash finds what was written. */
export const archiveNames = (file: string, id: string): readonly string[] => [
  file,
  suffixName(file, id.slice(0, 16)),
  suffixName(file, id),
];

/** What the archive of a withdrawn signal says was done. */
export const withdrawnAction = 'withdrawn';

/**
 * Whether its end stands in `processed/` or `rejected/`. A power loss may bring its file back into `inputs/` or `claimed/`: what was said of it stands, and
 * nobody acts on it a second time. That end is durable when this says so, for the caller removes what came back: a program that died may have linked it and
 * no more.
 */
export const hasEnded = (box: Box, file: string, id: string): boolean => {
  const { processed, rejected } = box.paths;
  const isArchived = archiveNames(file, id).some((name) => archivedId(box, name) === id);
  if (!isArchived && !isRejected(box, file, id)) return false;
  box.disk.flushDirectory(isArchived ? processed : rejected);
  return true;
};

/** Whether it was refused before: a power loss may bring its file back, and what was said about it stands. */
export const isRejected = (box: Box, file: string, id: string): boolean => {
  const bytes = readSmall(box, join(box.paths.rejected, file), largestArchived)?.bytes;
  return bytes ? identityOf(box, file, bytes) === id : false;
};

export const identityOf = (box: Box, file: string, bytes: Uint8Array): string =>
  digest(box, `${file}\0`, bytes);

const repeatedIdentityOf = (box: Box, file: string, bytes: Uint8Array, mtimeMs: number): string =>
  digest(box, `${file}\0${mtimeMs}\0`, bytes);

const digest = (box: Box, prefix: string, bytes: Uint8Array): string => {
  const head = new TextEncoder().encode(prefix);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  return box.options.hash(all);
};
