import { join } from 'node:path';
import { formatTimestamp } from '../base/clock.ts';
import type { Box } from './box.ts';
import { formatSignal, largestSignal, withoutSecrets } from './envelope.ts';
import { namesIn, place, placeAgain, readSmall } from './files.ts';
import { isIdentity } from './identity.ts';
import type { Broadcast, Claim, Mailbox, Recipient } from './mailbox.ts';
import {
  type Frozen,
  formatAck,
  formatRecipients,
  largestRecipients,
  parseAck,
  parseRecipients,
} from './recipients.ts';
import type { Letter } from './signal.ts';

/** Rule 8: the first freeze wins by `link`; everybody reads the same recipients and the same bytes, whatever becomes of the file. */
export const freeze = (box: Box, letter: Letter, recipients: readonly Recipient[]): Broadcast => {
  const directory = directoryOf(box, letter.id);
  if (box.disk.lstat(directory) === null) box.disk.mkdir(directory);
  const path = join(directory, recipientsFile);
  if (box.disk.lstat(path) === null) {
    const frozen = { id: letter.id, file: letter.file, frozen_at: formatTimestamp(box.clock), recipients };
    place(box, path, encode(formatRecipients({ ...frozen, text: textOf(box, letter) })));
  }
  box.frozen.set(letter.id, letter);
  return readBroadcast(box, letter.id) ?? { id: letter.id, letter, recipients: waiting(recipients) };
};

const waiting = (recipients: readonly Recipient[]) =>
  recipients.map((recipient) => ({ ...recipient, state: 'waiting' }) as const);

/** The source text as long as it is the signal that was peeked; else its canonical form. */
const textOf = (box: Box, letter: Letter): string => {
  const read = readSmall(box, join(box.paths.inputs, letter.file), largestSignal);
  const same = read?.bytes && isIdentity(box, letter.id, letter.file, read.bytes, read.stat.mtimeMs) !== null;
  return same && read.bytes ? new TextDecoder().decode(read.bytes) : formatSignal(letter.signal);
};

/** One recipient took it. The first word about a recipient stands: an ack after a strike changes nothing. */
export const acknowledge = (box: Box, id: string, ack: Parameters<Mailbox['acknowledge']>[1]): void => {
  const { agent, invocation, at, checkpoint } = ack;
  const action = box.options.redact?.(ack.action) ?? ack.action;
  placeAck(box, id, ack, formatAck({ agent, invocation, state: 'acked', action, at, checkpoint }));
};

/** One recipient ended first. */
export const strike = (box: Box, id: string, recipient: Recipient): void => {
  const { agent, invocation } = recipient;
  const at = formatTimestamp(box.clock);
  placeAck(
    box,
    id,
    recipient,
    formatAck({ agent, invocation, state: 'ended', action: '', at, checkpoint: '' }),
  );
};

const placeAck = (box: Box, id: string, { agent, invocation }: Recipient, text: string): void => {
  place(box, join(directoryOf(box, id), `${agent}~${invocation}${ackSuffix}`), encode(text));
};

/** The broadcast as it stands on disk; null when it was never frozen. */
export const readBroadcast = (box: Box, id: string): Broadcast | null => {
  const directory = directoryOf(box, id);
  const frozen = readFrozen(box, directory);
  if (frozen === null) return null;
  const acks = readAcks(box, directory);
  return {
    id: frozen.id,
    letter: { id: frozen.id, file: frozen.file, signal: frozen.signal },
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

/** Every frozen broadcast that is not archived yet, as this instance knows them since it was opened. */
export const openBroadcasts = (box: Box): readonly Broadcast[] =>
  [...box.frozen.keys()].map((id) => readBroadcast(box, id)).filter((broadcast) => broadcast !== null);

/** Finds at the start what an earlier engine froze and did not finish. */
export const loadBroadcasts = (box: Box): void => {
  for (const name of namesIn(box, box.paths.acks)) {
    const directory = join(box.paths.acks, name);
    if (box.disk.lstat(directory)?.kind !== 'directory') continue;
    if (isFinished(box, directory)) continue;
    const frozen = readFrozen(box, directory);
    if (frozen) box.frozen.set(frozen.id, { id: frozen.id, file: frozen.file, signal: frozen.signal });
  }
};

/** Whether another mailbox has archived it since; it is forgotten then. */
export const isClosed = (box: Box, id: string): boolean => {
  const closed = isFinished(box, directoryOf(box, id));
  if (closed) box.frozen.delete(id);
  return closed;
};

const isFinished = (box: Box, directory: string): boolean =>
  box.disk.lstat(join(directory, closedFile)) !== null;

/** The bytes at the freeze. */
export const frozenBytes = (box: Box, id: string): Uint8Array | null => {
  const frozen = readFrozen(box, directoryOf(box, id));
  return frozen === null ? null : encode(frozen.text);
};

/** Called after the archive is durable; a crash before it archives again, which finds the archive there. */
export const closeBroadcast = (box: Box, claim: Claim): void => {
  const { type, target } = claim.signal;
  if (target !== 'ALL' || (type !== 'STEER' && type !== 'INFO')) return;
  const directory = directoryOf(box, claim.id);
  if (box.disk.lstat(directory) !== null) {
    redactFrozen(box, directory);
    place(box, join(directory, closedFile), encode(`${claim.id}\n`));
  }
  box.frozen.delete(claim.id);
};

/** The recipients that answered, for listings: `<Agent>~<invocation>`. */
export const acksOf = (box: Box, id: string): readonly string[] =>
  readAcks(box, directoryOf(box, id)).map(
    ({ agent, invocation, state }) => `${agent}~${invocation}${state === 'ended' ? ' (ended)' : ''}`,
  );

/** The text was needed with its secrets as long as somebody had to take it. */
const redactFrozen = (box: Box, directory: string): void => {
  const { redact } = box.options;
  const frozen = redact ? readFrozen(box, directory) : null;
  if (!redact || !frozen) return;
  const { signal, ...kept } = frozen;
  const text = withoutSecrets(frozen.text, redact);
  if (text !== frozen.text)
    placeAgain(box, join(directory, recipientsFile), encode(formatRecipients({ ...kept, text })));
};

const recipientsFile = 'recipients.yaml';
const closedFile = 'archived';
const ackSuffix = '.ack.yaml';

const directoryOf = (box: Box, id: string): string => join(box.paths.acks, id.slice(0, 16));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const readFrozen = (box: Box, directory: string): Frozen | null => {
  const bytes = readSmall(box, join(directory, recipientsFile), largestRecipients)?.bytes;
  return bytes ? parseRecipients(bytes) : null;
};

const readAcks = (box: Box, directory: string) =>
  namesIn(box, directory)
    .filter((name) => name.endsWith(ackSuffix))
    .map((name) => readSmall(box, join(directory, name), largestSignal)?.bytes)
    .map((bytes) => (bytes ? parseAck(bytes) : null))
    .filter((ack) => ack !== null);
