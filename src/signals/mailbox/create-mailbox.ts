import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import type { Mailbox, MailboxOptions } from '../mailbox.ts';
import { archive } from './archive.ts';
import { acknowledge, freeze, loadBroadcasts, openBroadcasts, readBroadcast, strike } from './broadcast.ts';
import { claim, putBack } from './claim.ts';
import { openDirectories } from './directories.ts';
import { find, held, list } from './listing.ts';
import { explained } from './mailbox-fault.ts';
import { createMailboxParts } from './mailbox-parts.ts';
import { peek } from './peek.ts';
import { publish } from './publish.ts';
import { recover, sweepTemporary } from './recovery.ts';
import { reject, rejectClaim } from './reject.ts';
import { withdraw } from './withdraw.ts';

/**
 * The mailbox of one session over a disk (src/signals/README.md). Calls that return no fault throw a `FaultError` with one sentence when a system call fails.
 * Nothing is lost then, and the call can be repeated.
 */
export const createMailbox = (disk: Disk, clock: Clock, random: Random, options: MailboxOptions): Mailbox => {
  const parts = createMailboxParts(disk, clock, random, options);
  return {
    open: () => {
      const fault = openDirectories(parts);
      if (fault === null) explained('acks cannot be read', () => loadBroadcasts(parts));
      return fault;
    },
    publish: (signal, sign) => publish(parts, signal, sign),
    peek: () => peek(parts),
    claim: (pendingSignal) => explained('the signal was not claimed', () => claim(parts, pendingSignal)),
    archive: (taken, handling) => archive(parts, taken, handling),
    putBack: (taken) => explained('the signal was not put back', () => putBack(parts, taken)),
    reject: (file, reason) => explained('the file was not rejected', () => reject(parts, file, reason)),
    rejectClaim: (taken, reason) =>
      explained('the signal was not rejected', () => rejectClaim(parts, taken, reason)),
    withdraw: (idOrFile, by) =>
      explained('the signal was not withdrawn', () => withdraw(parts, idOrFile, by)),
    freeze: (pendingSignal, recipients) =>
      explained('the broadcast was not frozen', () => freeze(parts, pendingSignal, recipients)),
    acknowledge: (id, ack) =>
      explained('the broadcast was not acknowledged', () => acknowledge(parts, id, ack)),
    strike: (id, recipient) => explained('the recipient was not removed', () => strike(parts, id, recipient)),
    broadcast: (id) => explained('the broadcast cannot be read', () => readBroadcast(parts, id)),
    broadcasts: () => explained('the broadcasts cannot be read', () => openBroadcasts(parts)),
    recover: (choice) => explained('claims cannot be recovered', () => recover(parts, choice)),
    sweepTemporary: () => explained('tmp/ cannot be swept', () => sweepTemporary(parts)),
    held: () => explained('the mailbox cannot be read', () => held(parts)),
    find: (pendingSignal) => explained('the mailbox cannot be read', () => find(parts, pendingSignal)),
    list: () => explained('the mailbox cannot be read', () => list(parts)),
  };
};
