import { join } from 'node:path';
import type { Fault } from '../base/fault.ts';
import type { Box } from './box.ts';
import { closeBroadcast } from './broadcast.ts';
import { formatArchived } from './envelope.ts';
import { place, unlinkIfThere } from './files.ts';
import { archivedId, archiveNames, formatWritten } from './identity.ts';
import type { Claim, Handling } from './mailbox.ts';
import { orFault } from './mailbox-fault.ts';

/**
 * Rule 7, the second half. A name taken by the same id means done. The claim is removed only when the archive is durable.
 */
export const archive = (box: Box, claim: Claim, handling: Handling): Fault | null =>
  orFault('the signal was handled but not archived', () => fileAway(box, claim, handling));

/** The same for whoever has other words for a call that failed: throws `DiskError`. */
export const fileAway = (box: Box, claim: Claim, handling: Handling): Fault | null => {
  if (!placeOnce(box, claim, handling)) return crowded(claim);
  unlinkIfThere(box, claim.path);
  box.inFlight.delete(claim.path);
  closeBroadcast(box, claim);
  return null;
};

const placeOnce = (box: Box, claim: Claim, handling: Handling): boolean => {
  const { acks, ...said } = handling;
  const file = box.disk.lstat(claim.path);
  const whole = { ...said, ...(file === null ? {} : { written_at: formatWritten(file.mtimeMs) }), acks };
  const bytes = new TextEncoder().encode(formatArchived(claim.id, claim.bytes, whole, box.options.redact));
  return archiveNames(claim.file, claim.id).some(
    (name) => place(box, join(box.paths.processed, name), bytes) || archivedId(box, name) === claim.id,
  );
};

const crowded = (claim: Claim): Fault => ({
  code: 'mailbox-archive-taken',
  what: 'other files have every name this signal could be archived under',
  where: claim.file,
  mend: 'move them out of processed/',
});
