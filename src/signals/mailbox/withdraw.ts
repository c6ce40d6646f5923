import { join } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import { largestArchived, largestSignal, parseArchived, parseSignal } from '../envelope.ts';
import type { Claim, Withdrawn } from '../mailbox.ts';
import type { PendingSignal } from '../signal.ts';
import { fileAway } from './archive.ts';
import { readBroadcast } from './broadcast.ts';
import { claim, putBack } from './claim.ts';
import { namesIn, readSmall } from './files.ts';
import { archivedId, archiveNames, identify, isRejected } from './identity.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { classifyName } from './names.ts';
import { parseClaimName, parseOwner } from './owner.ts';

/** Rule 14: claim, then archive as "withdrawn". `idOrFile` is a file name, an id, or at least six digits of its beginning. */
export const withdraw = (parts: MailboxParts, idOrFile: string, by: string): Withdrawn => {
  const [pendingSignal, ...others] = findPending(parts, idOrFile);
  if (pendingSignal === undefined) return tooLate(parts, idOrFile);
  if (others.length > 0)
    return { kind: 'ambiguous', files: [pendingSignal, ...others].map(({ file }) => file) };
  // A power loss can bring back the file of a handled signal: withdrawing it would not undo the action.
  if (
    archiveNames(pendingSignal.file, pendingSignal.id).some(
      (name) => archivedId(parts, name) === pendingSignal.id,
    )
  )
    return tooLate(parts, pendingSignal.id);
  if (isRejected(parts, pendingSignal.file, pendingSignal.id))
    return { kind: 'too-late', by: 'the session', stage: 'processed' };
  const broadcast = readBroadcast(parts, pendingSignal.id);
  if (broadcast) {
    const taken =
      broadcast.recipients.find((recipient) => recipient.state === 'acked') ?? broadcast.recipients[0];
    return {
      kind: 'too-late',
      by: taken ? `${taken.agent}~${taken.invocation}` : 'the session',
      stage: 'claimed',
    };
  }
  const claimed = claim(parts, pendingSignal);
  if (typeof claimed === 'string') return tooLate(parts, pendingSignal.id);
  fileOrPutBack(parts, claimed, by);
  return { kind: 'withdrawn', id: pendingSignal.id, file: pendingSignal.file };
};

/**
 * Puts the signal back when archiving fails, because the caller then still relies on its delivery. A leftover claim would hide it from the
 * session: after a reboot permanently, when its owner's state is unknowable.
 */
const fileOrPutBack = (parts: MailboxParts, claimed: Claim, by: string): void => {
  try {
    const fault = fileAway(parts, claimed, {
      handled_by: by,
      handled_at: formatTimestamp(parts.clock),
      outcome: 'withdrawn',
      action_taken: 'withdrawn',
      checkpoint: '',
      invocation: null,
      acks: [],
    });
    if (fault) throw new FaultError(fault);
  } catch (error) {
    putBack(parts, claimed);
    throw error;
  }
};

const shortestId = /^[0-9a-f]{6,64}$/;

/** The matching pending signal; several when only the beginning of an id was given. */
const findPending = (parts: MailboxParts, idOrFile: string): readonly PendingSignal[] => {
  const byId = shortestId.test(idOrFile);
  const found: PendingSignal[] = [];
  for (const file of namesIn(parts, parts.paths.inputs)) {
    if (classifyName(file) !== 'signal' || !(byId || file === idOrFile)) continue;
    const read = readSmall(parts, join(parts.paths.inputs, file), largestSignal);
    const signal = read?.bytes ? parseSignal(file, read.bytes).value : null;
    if (!read?.bytes || signal === null) continue;
    const id = identify(parts, file, read.bytes, read.stat.mtimeMs);
    if (file === idOrFile || id === idOrFile) return [{ id, file, signal }];
    if (id.startsWith(idOrFile)) found.push({ id, file, signal });
  }
  return found;
};

const tooLate = (parts: MailboxParts, idOrFile: string): Withdrawn => {
  for (const name of namesIn(parts, parts.paths.claimed)) {
    const parsed = parseClaimName(name);
    if (!parsed || !(parsed.file === idOrFile || samePrefix(parsed.id16, idOrFile))) continue;
    const pid = parseOwner(parsed.owner)?.pid;
    return { kind: 'too-late', by: pid === undefined ? parsed.owner : `process ${pid}`, stage: 'claimed' };
  }
  for (const name of namesIn(parts, parts.paths.processed)) {
    if (!shortestId.test(idOrFile) && name !== idOrFile) continue;
    const bytes = readSmall(parts, join(parts.paths.processed, name), largestArchived)?.bytes;
    const handling = bytes ? parseArchived(name, bytes).value.handling : null;
    if (handling && (name === idOrFile || samePrefix(handling.id ?? '', idOrFile)))
      return { kind: 'too-late', by: handling.handled_by, stage: 'processed' };
  }
  // Its file is gone. If somebody puts it back, the person has withdrawn it all the same.
  if (wholeId.test(idOrFile)) parts.options.spend?.(idOrFile);
  return { kind: 'unknown' };
};

const wholeId = /^[0-9a-f]{64}$/;

const samePrefix = (id: string, wanted: string): boolean =>
  shortestId.test(wanted) && id !== '' && (id.startsWith(wanted) || wanted.startsWith(id));
