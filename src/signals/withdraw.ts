import { join } from 'node:path';
import { formatTimestamp } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import { fileAway } from './archive.ts';
import type { Box } from './box.ts';
import { readBroadcast } from './broadcast.ts';
import { claim, putBack } from './claim.ts';
import { largestArchived, largestSignal, parseArchived, parseSignal } from './envelope.ts';
import { namesIn, readSmall } from './files.ts';
import { archivedId, archiveNames, identify, isRejected, withdrawnAction } from './identity.ts';
import type { Claim, Withdrawn } from './mailbox.ts';
import { classifyName } from './names.ts';
import { parseClaimName, parseOwner } from './owner.ts';
import type { Letter } from './signal.ts';

/** Rule 14: claim, then archive as "withdrawn". `idOrFile` is a file name, an id, or at least six digits of its beginning. */
export const withdraw = (box: Box, idOrFile: string, by: string): Withdrawn => {
  const [letter, ...others] = findPending(box, idOrFile);
  if (letter === undefined) return tooLate(box, idOrFile);
  if (others.length > 0) return { kind: 'ambiguous', files: [letter, ...others].map(({ file }) => file) };
  // A power loss can bring back the file of a signal that was handled before: what was done is not undone by taking it back.
  if (archiveNames(letter.file, letter.id).some((name) => archivedId(box, name) === letter.id))
    return tooLate(box, letter.id);
  if (isRejected(box, letter.file, letter.id))
    return { kind: 'too-late', by: 'the session', stage: 'processed' };
  const broadcast = readBroadcast(box, letter.id);
  if (broadcast) {
    const taken =
      broadcast.recipients.find((recipient) => recipient.state === 'acked') ?? broadcast.recipients[0];
    return {
      kind: 'too-late',
      by: taken ? `${taken.agent}~${taken.invocation}` : 'the session',
      stage: 'claimed',
    };
  }
  const claimed = claim(box, letter);
  if (typeof claimed === 'string') return tooLate(box, letter.id);
  fileOrPutBack(box, claimed, by);
  return { kind: 'withdrawn', id: letter.id, file: letter.file };
};

/**
 * Whoever hears that it was not taken back relies on it as before. A claim left behind would keep it from the session: for good after a reboot, when nobody
 * can tell any more whether its owner lives.
 */
const fileOrPutBack = (box: Box, claimed: Claim, by: string): void => {
  try {
    const fault = fileAway(box, claimed, {
      handled_by: by,
      handled_at: formatTimestamp(box.clock),
      action_taken: withdrawnAction,
      checkpoint: '',
      invocation: null,
      acks: [],
    });
    if (fault) throw new FaultError(fault);
  } catch (error) {
    putBack(box, claimed);
    throw error;
  }
};

const shortestId = /^[0-9a-f]{6,64}$/;

/** The one that is meant; several where only the beginning of an id was given. */
const findPending = (box: Box, idOrFile: string): readonly Letter[] => {
  const byId = shortestId.test(idOrFile);
  const found: Letter[] = [];
  for (const file of namesIn(box, box.paths.inputs)) {
    if (classifyName(file) !== 'signal' || !(byId || file === idOrFile)) continue;
    const read = readSmall(box, join(box.paths.inputs, file), largestSignal);
    const signal = read?.bytes ? parseSignal(file, read.bytes).value : null;
    if (!read?.bytes || signal === null) continue;
    const id = identify(box, file, read.bytes, read.stat.mtimeMs);
    if (file === idOrFile || id === idOrFile) return [{ id, file, signal }];
    if (id.startsWith(idOrFile)) found.push({ id, file, signal });
  }
  return found;
};

const tooLate = (box: Box, idOrFile: string): Withdrawn => {
  for (const name of namesIn(box, box.paths.claimed)) {
    const parsed = parseClaimName(name);
    if (!parsed || !(parsed.file === idOrFile || samePrefix(parsed.id16, idOrFile))) continue;
    const pid = parseOwner(parsed.owner)?.pid;
    return { kind: 'too-late', by: pid === undefined ? parsed.owner : `process ${pid}`, stage: 'claimed' };
  }
  for (const name of namesIn(box, box.paths.processed)) {
    if (!shortestId.test(idOrFile) && name !== idOrFile) continue;
    const bytes = readSmall(box, join(box.paths.processed, name), largestArchived)?.bytes;
    const handling = bytes ? parseArchived(name, bytes).value.handling : null;
    if (handling && (name === idOrFile || samePrefix(handling.id ?? '', idOrFile)))
      return { kind: 'too-late', by: handling.handled_by, stage: 'processed' };
  }
  return { kind: 'unknown' };
};

const samePrefix = (id: string, wanted: string): boolean =>
  shortestId.test(wanted) && id !== '' && (id.startsWith(wanted) || wanted.startsWith(id));
