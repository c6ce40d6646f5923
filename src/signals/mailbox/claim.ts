import { join } from 'node:path';
import { diskCode } from '../../base/disk.ts';
import { largestSignal } from '../envelope.ts';
import type { Claim } from '../mailbox.ts';
import type { PendingSignal } from '../signal.ts';
import { frozenBytes } from './broadcast.ts';
import { moveAside, readSmall, unlinkIfThere } from './files.ts';
import { hasEnded, isIdentity } from './identity.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { formatClaimName } from './owner.ts';

/**
 * Rule 6. `lost`: another process was faster. `changed`: the claimed bytes differ from the peeked ones, and the file is in `inputs/` again. A frozen
 * broadcast is claimed with its frozen bytes, whatever happened to its file.
 */
export const claim = (parts: MailboxParts, pendingSignal: PendingSignal): Claim | 'lost' | 'changed' => {
  const path = claimPath(parts, pendingSignal);
  // What we hold ends once. A file that a power loss left beside it goes when it has ended.
  if (parts.inFlight.has(path)) return 'lost';
  const taken = takeFile(parts, pendingSignal, path);
  if (typeof taken !== 'string') return taken;
  const bytes = parts.frozen.has(pendingSignal.id) ? frozenBytes(parts, pendingSignal.id) : null;
  if (bytes === null) return taken;
  return { ...pendingSignal, bytes, path };
};

/** The path of a claim of ours. */
export const claimPath = (parts: MailboxParts, { id, file }: PendingSignal): string =>
  join(parts.paths.claimed, formatClaimName(id, parts.owner, file));

const takeFile = (
  parts: MailboxParts,
  pendingSignal: PendingSignal,
  path: string,
): Claim | 'lost' | 'changed' => {
  try {
    parts.disk.rename(join(parts.paths.inputs, pendingSignal.file), path);
  } catch (error) {
    if (diskCode(error) === 'ENOENT' && parts.disk.lstat(parts.paths.claimed) !== null) return 'lost';
    throw error;
  }
  parts.sightings.delete(pendingSignal.file);
  const read = readSmall(parts, path, largestSignal);
  if (read === null) return 'lost';
  const { bytes, stat } = read;
  if (
    bytes === null ||
    isIdentity(parts, pendingSignal.id, pendingSignal.file, bytes, stat.mtimeMs) === null
  ) {
    moveAside(parts, path, parts.paths.inputs, pendingSignal.file);
    return 'changed';
  }
  if (hasEnded(parts, pendingSignal.file, pendingSignal.id)) {
    unlinkIfThere(parts, path);
    return 'lost';
  }
  parts.inFlight.add(path);
  return { ...pendingSignal, bytes, path };
};

/** Makes a signal pending again after its recipient died before it acted. */
export const putBack = (parts: MailboxParts, claim: Claim): void => {
  moveAside(parts, claim.path, parts.paths.inputs, claim.file);
  parts.inFlight.delete(claim.path);
};
