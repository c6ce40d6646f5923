import { join } from 'node:path';
import type { Redact } from '../../base/redact.ts';
import type { Claim } from '../mailbox.ts';
import { moveAside, nameAside, place, placeAgain, readSmall } from './files.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { escapeName } from './names.ts';
import { isUnchanged } from './sighting.ts';

/** Moves an unusable file to `rejected/`, with the reason beside it. Skips a file that changed since the peek, because it may be complete now. */
export const reject = (parts: MailboxParts, file: string, reason: string): void => {
  const path = join(parts.paths.inputs, file);
  const sighting = parts.sightings.get(file);
  const stat = parts.disk.lstat(path);
  if (stat === null || (sighting && !isUnchanged(sighting, stat))) return;
  const id = sighting?.ordered?.pendingSignal.id;
  if (id !== undefined) parts.options.spend?.(id);
  moveToRejected(parts, path, file, reason);
  parts.sightings.delete(file);
};

/** Rejects a claimed signal that cannot be acted on (rule 11, an unknown file in `promote`). */
export const rejectClaim = (parts: MailboxParts, claim: Claim, reason: string): void => {
  parts.options.spend?.(claim.id);
  moveToRejected(parts, claim.path, claim.file, reason);
  parts.inFlight.delete(claim.path);
};

const moveToRejected = (parts: MailboxParts, from: string, file: string, reason: string): void => {
  const { redact } = parts.options;
  const sentence = `${escapeName(file)}: ${reason}\n`;
  const bytes = new TextEncoder().encode(redact?.(sentence) ?? sentence);
  const explain = (as: string): boolean =>
    place(parts, join(parts.paths.rejected, `${as}${errorSuffix}`), bytes);
  // The reason first: a crash between the two must not leave a rejected file without a reason.
  const meant = nameAside(parts, from, parts.paths.rejected, escapeName(file));
  explain(meant);
  const name = moveAside(parts, from, parts.paths.rejected, meant);
  if (name === null) return;
  if (name !== meant) explain(name);
  if (redact) redactRejected(parts, join(parts.paths.rejected, name), redact);
};

/** A larger file is not a written message and stays unchanged. */
const largestRedacted = 1024 * 1024;

const redactRejected = (parts: MailboxParts, path: string, redact: Redact): void => {
  const bytes = readSmall(parts, path, largestRedacted)?.bytes;
  if (!bytes) return;
  const text = new TextDecoder().decode(bytes);
  const clean = redact(text);
  if (clean !== text) placeAgain(parts, path, new TextEncoder().encode(clean));
};

/** The suffix of a rejected file's name for the file with the reason. */
export const errorSuffix = '.error.txt';
