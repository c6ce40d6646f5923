import { join } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import { formatSignal, parseSignal } from '../envelope.ts';
import type { Published, Sign, Signed } from '../mailbox.ts';
import { isUrgent } from '../order.ts';
import type { Signal } from '../signal.ts';
import { directoryProblem } from './directories.ts';
import { namesIn, place } from './files.ts';
import { identityOf } from './identity.ts';
import { orFault } from './mailbox-fault.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import { formatSignalName } from './names.ts';
import { mostPending } from './peek.ts';

/** Rule 1. Refuses a signal that no reader would accept, with the reader's sentence. Adds `created_at` when it is absent. */
export const publish = (parts: MailboxParts, signal: Signal, sign?: Sign): Published | Fault => {
  const text = formatSignal({ created_at: formatTimestamp(parts.clock), ...signal });
  const bytes = new TextEncoder().encode(text);
  const { problems } = parseSignal('the signal', bytes);
  if (problems[0]) return problems[0];
  return orFault('the signal was not written', () => {
    const problem = directoryProblem(parts, parts.paths.inputs) ?? fullProblem(parts, signal);
    return problem ?? placeUnderFreshName(parts, bytes, (published) => sign?.(published, signal) ?? unsigned);
  });
};

/**
 * Listing thousands of names for each signal would make a flood quadratic, so the names are counted again only after a part of the free space is
 * used. Urgent signals get extra space, so that a person can stop a flood.
 */
const fullProblem = (parts: MailboxParts, signal: Signal): Fault | null => {
  if (parts.written.room > 0) {
    parts.written.room -= 1;
    return null;
  }
  const left = mostPending - namesIn(parts, parts.paths.inputs).length;
  parts.written.room = Math.max(0, Math.floor(left / publishers));
  if (left > 0 || (isUrgent(signal) && left > -urgentRoom)) return null;
  return {
    code: 'mailbox-full',
    what: `${mostPending} signals are already waiting, so no more are accepted`,
    where: parts.paths.inputs,
    hint: 'let the session read them, or withdraw some',
  };
};

/** The number of urgent signals accepted beyond the bound. */
const urgentRoom = 100;

/** The number of processes that may publish at once without exceeding the bound. */
const publishers = 64;

const placeUnderFreshName = (
  parts: MailboxParts,
  bytes: Uint8Array,
  sign: (published: Published) => Fault | Signed,
): Published | Fault => {
  for (;;) {
    const at = Math.max(Math.floor(parts.clock.now()), parts.written.last + 1);
    parts.written.last = at;
    const file = formatSignalName(at, parts.random);
    const published = { id: identityOf(parts, file, bytes), file };
    const signed = sign(published);
    if ('code' in signed) return signed;
    if (placed(parts, file, bytes, signed)) return published;
  }
};

const unsigned: Signed = { revoke: () => {} };

/** A record without its file would prove that file whenever an agent writes it. */
const placed = (parts: MailboxParts, file: string, bytes: Uint8Array, { revoke }: Signed): boolean => {
  let isPlaced = false;
  try {
    isPlaced = place(parts, join(parts.paths.inputs, file), bytes);
  } finally {
    if (!isPlaced) revoke();
  }
  return isPlaced;
};
