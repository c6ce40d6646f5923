import { extname, join } from 'node:path';
import { diskCode } from '../../base/disk.ts';
import { largestSignal, parseSignal } from '../envelope.ts';
import type { Claim, Mailbox } from '../mailbox.ts';
import { readBroadcast } from './broadcast.ts';
import { isOneFile, moveAside, namesIn, readSmall, unlinkIfThere } from './files.ts';
import { archivedId, hasEnded, identify, isIdentity } from './identity.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { type ClaimName, formatClaimName, parseClaimName, parseOwner } from './owner.ts';

/**
 * Rule 10, by the engine only: takes over claims of dead owners by a rename that only one process can win. A claim of this process that none of
 * its live mailboxes holds comes from a closed engine. A claim with an unverifiable owner is `remote`. Never judges by age alone.
 */
export const recover = (
  parts: MailboxParts,
  options: Parameters<Mailbox['recover']>[0],
): ReturnType<Mailbox['recover']> => {
  const claims: Claim[] = [];
  const remote: string[] = [];
  for (const name of namesIn(parts, parts.paths.claimed)) {
    const parsed = parseClaimName(name);
    if (parsed === null || parts.inFlight.has(join(parts.paths.claimed, name))) continue;
    const known = standingOf(parts, parsed.owner);
    const standing = known === 'remote' && options.engines?.has(parsed.owner) ? 'dead' : known;
    if (standing === 'alive' || dropLeftover(parts, name, parsed, standing)) continue;
    if (standing === 'remote') remote.push(name);
    if (standing === 'remote' && !options.takeOver) continue;
    const claim = takeOver(parts, name, parsed);
    if (claim) claims.push(claim);
  }
  return { claims, remote: options.takeOver ? [] : remote };
};

/**
 * Removes an obsolete claim of any owner. A power loss brought its name back, or its owner died before removing it and perhaps before its work
 * was durable.
 */
const dropLeftover = (
  parts: MailboxParts,
  name: string,
  { id16, file }: ClaimName,
  standing: 'dead' | 'remote',
): boolean => {
  const path = join(parts.paths.claimed, name);
  const isArchived = standing === 'remote' && archivedId(parts, file)?.startsWith(id16) === true;
  if (!isArchived && !isPutBack(parts, path, file)) return false;
  parts.disk.flushDirectory(isArchived ? parts.paths.processed : parts.paths.inputs);
  unlinkIfThere(parts, path);
  return true;
};

/** A claim is a rename: a file that also has a name in `inputs/`, its own or a suffixed one, was on its way back there. */
const isPutBack = (parts: MailboxParts, path: string, file: string): boolean => {
  const stem = `${file.slice(0, file.length - extname(file).length)}-`;
  const claimed = parts.disk.lstat(path);
  return namesIn(parts, parts.paths.inputs).some((name) => {
    if (name !== file && !name.startsWith(stem)) return false;
    const pending = parts.disk.lstat(join(parts.paths.inputs, name));
    return claimed !== null && pending !== null && isOneFile(claimed, pending);
  });
};

const standingOf = (parts: MailboxParts, owner: string): 'dead' | 'alive' | 'remote' => {
  if (owner === parts.owner) return 'dead';
  const identity = parseOwner(owner);
  if (identity === null) return 'remote';
  const alive = parts.options.isAlive(identity);
  return alive === 'unknown' ? 'remote' : alive;
};

/** Null when another process was faster, or when the signal belongs in `inputs/`. */
const takeOver = (parts: MailboxParts, name: string, { id16, file }: ClaimName): Claim | null => {
  const path = join(parts.paths.claimed, formatClaimName(id16, parts.owner, file));
  const old = join(parts.paths.claimed, name);
  if (parts.inFlight.has(path)) {
    // A power loss can leave one signal in two claims. Between links of one file a rename does nothing.
    unlinkIfThere(parts, old);
    return null;
  }
  try {
    parts.disk.rename(old, path);
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return null;
    throw error;
  }
  const claim = readClaim(parts, path, id16, file);
  if (claim && hasEnded(parts, claim.file, claim.id)) {
    unlinkIfThere(parts, path);
    return null;
  }
  // The acks of its recipients finish a broadcast, not the holder of its file.
  if (claim && !isUnfinished(parts, claim.id)) {
    parts.inFlight.add(path);
    return claim;
  }
  moveAside(parts, path, parts.paths.inputs, file);
  return null;
};

/** Null when the bytes are not the claimed signal: its writer changed it after the claim. */
const readClaim = (parts: MailboxParts, path: string, id16: string, file: string): Claim | null => {
  const read = readSmall(parts, path, largestSignal);
  if (!read?.bytes) return null;
  const id = isIdentity(parts, id16, file, read.bytes, read.stat.mtimeMs);
  const signal = parseSignal(file, read.bytes).value;
  return id === null || signal === null ? null : { id, file, signal, bytes: read.bytes, path };
};

const isUnfinished = (parts: MailboxParts, id: string): boolean =>
  readBroadcast(parts, id)?.recipients.some((recipient) => recipient.state === 'waiting') ?? false;

/**
 * Removes the files of dead writers in `tmp/`; a file with an unverifiable owner stays. Also removes finished signals that a power loss brought
 * back into `inputs/`: no agent would handle them, and they would wait there forever.
 */
export const sweepTemporary = (parts: MailboxParts): void => {
  for (const file of namesIn(parts, parts.paths.inputs)) {
    const path = join(parts.paths.inputs, file);
    const isKnown = [parts.paths.processed, parts.paths.rejected].some((end) =>
      parts.disk.lstat(join(end, file)),
    );
    const read = isKnown ? readSmall(parts, path, largestSignal) : null;
    const id = read?.bytes ? identify(parts, file, read.bytes, read.stat.mtimeMs) : null;
    if (id !== null && hasEnded(parts, file, id)) unlinkIfThere(parts, path);
  }
  for (const name of namesIn(parts, parts.paths.tmp)) {
    const owner = name.slice(0, Math.max(0, name.indexOf('~')));
    if (owner === parts.owner || standingOf(parts, owner) !== 'dead') continue;
    unlinkIfThere(parts, join(parts.paths.tmp, name));
  }
};
