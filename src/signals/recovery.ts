import { extname, join } from 'node:path';
import { diskCode } from '../base/disk.ts';
import type { Box } from './box.ts';
import { readBroadcast } from './broadcast.ts';
import { largestSignal, parseSignal } from './envelope.ts';
import { isOneFile, moveAside, namesIn, readSmall, unlinkIfThere } from './files.ts';
import { archivedId, hasEnded, identify, isIdentity } from './identity.ts';
import type { Claim, Mailbox } from './mailbox.ts';
import { type ClaimName, formatClaimName, parseClaimName, parseOwner } from './owner.ts';

/**
 * Rule 10, by the engine only: claims of dead owners become ours by a rename that one process can win. Claims of this process that no live mailbox of it
 * holds are left from an engine that was closed here. A claim whose owner we cannot judge is `remote`. Never by age alone.
 */
export const recover = (
  box: Box,
  options: Parameters<Mailbox['recover']>[0],
): ReturnType<Mailbox['recover']> => {
  const claims: Claim[] = [];
  const remote: string[] = [];
  for (const name of namesIn(box, box.paths.claimed)) {
    const parsed = parseClaimName(name);
    if (parsed === null || box.inFlight.has(join(box.paths.claimed, name))) continue;
    const known = standingOf(box, parsed.owner);
    const standing = known === 'remote' && options.engines?.has(parsed.owner) ? 'dead' : known;
    if (standing === 'alive' || dropLeftover(box, name, parsed, standing)) continue;
    if (standing === 'remote') remote.push(name);
    if (standing === 'remote' && !options.takeOver) continue;
    const claim = takeOver(box, name, parsed);
    if (claim) claims.push(claim);
  }
  return { claims, remote: options.takeOver ? [] : remote };
};

/**
 * Removes the name of a claim that is none any more, whoever's it was: a power loss brought the name back, or its owner died before it could remove it,
 * and perhaps before what it had done was durable.
 */
const dropLeftover = (
  box: Box,
  name: string,
  { id16, file }: ClaimName,
  standing: 'dead' | 'remote',
): boolean => {
  const path = join(box.paths.claimed, name);
  const isArchived = standing === 'remote' && archivedId(box, file)?.startsWith(id16) === true;
  if (!isArchived && !isPutBack(box, path, file)) return false;
  box.disk.flushDirectory(isArchived ? box.paths.processed : box.paths.inputs);
  unlinkIfThere(box, path);
  return true;
};

/** A claim is a rename: a file that also has a name in `inputs/`, its own or one beside it, was on its way back there. */
const isPutBack = (box: Box, path: string, file: string): boolean => {
  const stem = `${file.slice(0, file.length - extname(file).length)}-`;
  const claimed = box.disk.lstat(path);
  return namesIn(box, box.paths.inputs).some((name) => {
    if (name !== file && !name.startsWith(stem)) return false;
    const pending = box.disk.lstat(join(box.paths.inputs, name));
    return claimed !== null && pending !== null && isOneFile(claimed, pending);
  });
};

const standingOf = (box: Box, owner: string): 'dead' | 'alive' | 'remote' => {
  if (owner === box.owner) return 'dead';
  const identity = parseOwner(owner);
  if (identity === null) return 'remote';
  const alive = box.options.isAlive(identity);
  return alive === 'unknown' ? 'remote' : alive;
};

/** Null when somebody else was faster, or when it belongs into `inputs/`. */
const takeOver = (box: Box, name: string, { id16, file }: ClaimName): Claim | null => {
  const path = join(box.paths.claimed, formatClaimName(id16, box.owner, file));
  const old = join(box.paths.claimed, name);
  if (box.inFlight.has(path)) {
    // A power loss can leave one signal in two claims; between links of one file a rename would do nothing.
    unlinkIfThere(box, old);
    return null;
  }
  try {
    box.disk.rename(old, path);
  } catch (error) {
    if (diskCode(error) === 'ENOENT') return null;
    throw error;
  }
  const claim = readClaim(box, path, id16, file);
  if (claim && hasEnded(box, claim.file, claim.id)) {
    unlinkIfThere(box, path);
    return null;
  }
  // A broadcast is finished by the acks of its recipients, not by whoever happened to hold its file.
  if (claim && !isUnfinished(box, claim.id)) {
    box.inFlight.add(path);
    return claim;
  }
  moveAside(box, path, box.paths.inputs, file);
  return null;
};

/** Null when the bytes are not the signal that was claimed: its writer went on after the claim. */
const readClaim = (box: Box, path: string, id16: string, file: string): Claim | null => {
  const read = readSmall(box, path, largestSignal);
  if (!read?.bytes) return null;
  const id = isIdentity(box, id16, file, read.bytes, read.stat.mtimeMs);
  const signal = parseSignal(file, read.bytes).value;
  return id === null || signal === null ? null : { id, file, signal, bytes: read.bytes, path };
};

const isUnfinished = (box: Box, id: string): boolean =>
  readBroadcast(box, id)?.recipients.some((recipient) => recipient.state === 'waiting') ?? false;

/**
 * Removes what dead writers left in `tmp/`; a file whose owner we cannot judge stays. Also what a power loss brought back into `inputs/` after it had
 * come to its end: nobody acts on it, and it would wait there for ever.
 */
export const sweepTemporary = (box: Box): void => {
  for (const file of namesIn(box, box.paths.inputs)) {
    const path = join(box.paths.inputs, file);
    const isKnown = [box.paths.processed, box.paths.rejected].some((end) => box.disk.lstat(join(end, file)));
    const read = isKnown ? readSmall(box, path, largestSignal) : null;
    const id = read?.bytes ? identify(box, file, read.bytes, read.stat.mtimeMs) : null;
    if (id !== null && hasEnded(box, file, id)) unlinkIfThere(box, path);
  }
  for (const name of namesIn(box, box.paths.tmp)) {
    const owner = name.slice(0, Math.max(0, name.indexOf('~')));
    if (owner === box.owner || standingOf(box, owner) !== 'dead') continue;
    unlinkIfThere(box, join(box.paths.tmp, name));
  }
};
