import { join } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import { formatSignal, largestSignal, withoutSecrets } from '../envelope.ts';
import { isMessage } from '../kinds.ts';
import type { Broadcast, Claim, Mailbox, Recipient } from '../mailbox.ts';
import type { PendingSignal } from '../signal.ts';
import { namesIn, place, placeAgain, readSmall } from './files.ts';
import { isIdentity } from './identity.ts';
import type { MailboxParts } from './mailbox-parts.ts';
import {
  type Frozen,
  formatAck,
  formatRecipients,
  largestRecipients,
  parseAck,
  parseRecipients,
} from './recipients.ts';
import { isSameFile } from './sighting.ts';

/** Rule 8: the first freeze wins by `link`. Every process reads the same recipients and bytes, whatever happens to the file. */
export const freeze = (
  parts: MailboxParts,
  pendingSignal: PendingSignal,
  recipients: readonly Recipient[],
): Broadcast => {
  const directory = directoryOf(parts, pendingSignal.id);
  if (parts.disk.lstat(directory) === null) parts.disk.mkdir(directory);
  const path = join(directory, recipientsFile);
  if (parts.disk.lstat(path) === null) {
    const frozen = {
      id: pendingSignal.id,
      file: pendingSignal.file,
      frozen_at: formatTimestamp(parts.clock),
      recipients,
    };
    place(parts, path, encode(formatRecipients({ ...frozen, text: textOf(parts, pendingSignal) })));
  }
  parts.frozen.set(pendingSignal.id, pendingSignal);
  return (
    readBroadcast(parts, pendingSignal.id) ?? {
      id: pendingSignal.id,
      pendingSignal,
      recipients: waiting(recipients),
    }
  );
};

const waiting = (recipients: readonly Recipient[]) =>
  recipients.map((recipient) => ({ ...recipient, state: 'waiting' }) as const);

/** The source text while it is still the peeked signal, else its canonical form. */
const textOf = (parts: MailboxParts, pendingSignal: PendingSignal): string => {
  const read = readSmall(parts, join(parts.paths.inputs, pendingSignal.file), largestSignal);
  const same =
    read?.bytes &&
    isIdentity(parts, pendingSignal.id, pendingSignal.file, read.bytes, read.stat.mtimeMs) !== null;
  return same && read.bytes ? new TextDecoder().decode(read.bytes) : formatSignal(pendingSignal.signal);
};

/** Records that a recipient took it. The first record of a recipient stands: an ack after a strike changes nothing. */
export const acknowledge = (
  parts: MailboxParts,
  id: string,
  ack: Parameters<Mailbox['acknowledge']>[1],
): void => {
  const { agent, invocation, at, checkpoint } = ack;
  const action = parts.options.redact?.(ack.action) ?? ack.action;
  placeAck(parts, id, ack, formatAck({ agent, invocation, state: 'acked', action, at, checkpoint }));
};

/** Records that a recipient ended first. */
export const strike = (parts: MailboxParts, id: string, recipient: Recipient): void => {
  const { agent, invocation } = recipient;
  const at = formatTimestamp(parts.clock);
  placeAck(
    parts,
    id,
    recipient,
    formatAck({ agent, invocation, state: 'ended', action: '', at, checkpoint: '' }),
  );
};

const placeAck = (parts: MailboxParts, id: string, { agent, invocation }: Recipient, text: string): void => {
  place(parts, join(directoryOf(parts, id), `${agent}~${invocation}${ackSuffix}`), encode(text));
};

/** The broadcast on disk; null when it was never frozen. */
export const readBroadcast = (parts: MailboxParts, id: string): Broadcast | null => {
  const directory = directoryOf(parts, id);
  const frozen = readFrozen(parts, directory);
  if (frozen === null) return null;
  const acks = readAcks(parts, directory);
  return {
    id: frozen.id,
    pendingSignal: { id: frozen.id, file: frozen.file, signal: frozen.signal },
    recipients: frozen.recipients.map((recipient) => {
      const ack = acks.find(
        (each) => each.agent === recipient.agent && each.invocation === recipient.invocation,
      );
      if (!ack) return { ...recipient, state: 'waiting' };
      return ack.state === 'acked'
        ? { ...recipient, state: 'acked', action: ack.action }
        : { ...recipient, state: 'ended' };
    }),
  };
};

/** Every frozen and not yet archived broadcast that this instance has met since it was opened. */
export const openBroadcasts = (parts: MailboxParts): readonly Broadcast[] =>
  [...parts.frozen.keys()].map((id) => readBroadcast(parts, id)).filter((broadcast) => broadcast !== null);

/** Loads at the start the broadcasts that an earlier engine froze and did not finish. */
export const loadBroadcasts = (parts: MailboxParts): void => {
  for (const pendingSignal of unfinishedBroadcasts(parts)) parts.frozen.set(pendingSignal.id, pendingSignal);
};

/** Every frozen and not yet archived broadcast on disk, as it was at the freeze. */
export const unfinishedBroadcasts = (parts: MailboxParts): readonly PendingSignal[] =>
  namesIn(parts, parts.paths.acks).flatMap((name) => {
    const directory = join(parts.paths.acks, name);
    if (parts.disk.lstat(directory)?.kind !== 'directory' || isFinished(parts, directory)) return [];
    const frozen = readFrozen(parts, directory);
    return frozen === null ? [] : [{ id: frozen.id, file: frozen.file, signal: frozen.signal }];
  });

/** Whether another mailbox has archived it since. If so, this instance forgets it. */
export const isClosed = (parts: MailboxParts, id: string): boolean => {
  const closed = isFinished(parts, directoryOf(parts, id));
  if (closed) parts.frozen.delete(id);
  return closed;
};

const isFinished = (parts: MailboxParts, directory: string): boolean =>
  parts.disk.lstat(join(directory, closedFile)) !== null;

/** The bytes at the freeze. */
export const frozenBytes = (parts: MailboxParts, id: string): Uint8Array | null => {
  const frozen = readFrozen(parts, directoryOf(parts, id));
  return frozen === null ? null : encode(frozen.text);
};

/** Call it after the archive is durable. A crash before the call archives again, which finds the existing archive. */
export const closeBroadcast = (parts: MailboxParts, claim: Claim): void => {
  const { type, target } = claim.signal;
  if (target !== 'ALL' || !isMessage(type)) return;
  const directory = directoryOf(parts, claim.id);
  if (parts.disk.lstat(directory) !== null) {
    redactFrozen(parts, directory);
    place(parts, join(directory, closedFile), encode(`${claim.id}\n`));
  }
  parts.frozen.delete(claim.id);
  parts.recipients.delete(join(directory, recipientsFile));
};

/** The recipients with an ack, for listings: `<Agent>~<invocation>`. */
export const acksOf = (parts: MailboxParts, id: string): readonly string[] =>
  readAcks(parts, directoryOf(parts, id)).map(
    ({ agent, invocation, state }) => `${agent}~${invocation}${state === 'ended' ? ' (ended)' : ''}`,
  );

/** Redacts late, because the recipients needed the text with its secrets. */
const redactFrozen = (parts: MailboxParts, directory: string): void => {
  const { redact } = parts.options;
  const frozen = redact ? readFrozen(parts, directory) : null;
  if (!redact || !frozen) return;
  const { signal, ...kept } = frozen;
  const text = withoutSecrets(frozen.text, redact);
  if (text !== frozen.text)
    placeAgain(parts, join(directory, recipientsFile), encode(formatRecipients({ ...kept, text })));
};

const recipientsFile = 'recipients.yaml';
const closedFile = 'archived';
const ackSuffix = '.ack.yaml';

const directoryOf = (parts: MailboxParts, id: string): string => join(parts.paths.acks, id.slice(0, 16));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Each look of each consumer asks for it, and a file that is as it was says the same. */
const readFrozen = (parts: MailboxParts, directory: string): Frozen | null => {
  const path = join(directory, recipientsFile);
  const stat = parts.disk.lstat(path);
  const known = parts.recipients.get(path);
  if (stat !== null && known && isSameFile(known.stat, stat)) return known.frozen;
  const read = readSmall(parts, path, largestRecipients);
  const frozen = read?.bytes ? parseRecipients(read.bytes) : null;
  if (read && frozen) parts.recipients.set(path, { stat: read.stat, frozen });
  else parts.recipients.delete(path);
  return frozen;
};

const readAcks = (parts: MailboxParts, directory: string) =>
  namesIn(parts, directory)
    .filter((name) => name.endsWith(ackSuffix))
    .map((name) => readSmall(parts, join(directory, name), largestSignal)?.bytes)
    .map((bytes) => (bytes ? parseAck(bytes) : null))
    .filter((ack) => ack !== null);
