import { join } from 'node:path';
import type { Fault } from '../../base/fault.ts';
import { formatArchived } from '../envelope.ts';
import type { Claim, Handling } from '../mailbox.ts';
import { closeBroadcast } from './broadcast.ts';
import { place, unlinkIfThere } from './files.ts';
import { archivedId, archiveNames, formatWritten } from './identity.ts';
import { orFault } from './mailbox-fault.ts';
import type { MailboxParts } from './mailbox-parts.ts';

/**
 * Rule 7, the second half. An archive with the same id under its name counts as done. Removes the claim only when the archive is durable.
 */
export const archive = (parts: MailboxParts, claim: Claim, handling: Handling): Fault | null =>
  orFault('the signal was handled but not archived', () => fileAway(parts, claim, handling));

/** Like `archive`, for callers with their own error sentence: throws `DiskError`. */
export const fileAway = (parts: MailboxParts, claim: Claim, handling: Handling): Fault | null => {
  parts.options.spend?.(claim.id);
  if (!placeOnce(parts, claim, handling)) return crowded(claim);
  unlinkIfThere(parts, claim.path);
  parts.inFlight.delete(claim.path);
  closeBroadcast(parts, claim);
  return null;
};

const placeOnce = (parts: MailboxParts, claim: Claim, handling: Handling): boolean => {
  const { acks, ...said } = handling;
  const file = parts.disk.lstat(claim.path);
  const whole = { ...said, ...(file === null ? {} : { written_at: formatWritten(file.mtimeMs) }), acks };
  const bytes = new TextEncoder().encode(formatArchived(claim.id, claim.bytes, whole, parts.options.redact));
  return archiveNames(claim.file, claim.id).some(
    (name) => place(parts, join(parts.paths.processed, name), bytes) || archivedId(parts, name) === claim.id,
  );
};

const crowded = (claim: Claim): Fault => ({
  code: 'mailbox-archive-taken',
  what: 'every name this signal could be archived under is taken',
  where: claim.file,
  hint: 'move the files with those names out of processed/',
});
