import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Random } from '../base/random.ts';
import { archive } from './archive.ts';
import { createBox } from './box.ts';
import { acknowledge, freeze, loadBroadcasts, openBroadcasts, readBroadcast, strike } from './broadcast.ts';
import { claim, putBack } from './claim.ts';
import { openDirectories } from './directories.ts';
import { find, list } from './listing.ts';
import type { Mailbox, MailboxOptions } from './mailbox.ts';
import { explained } from './mailbox-fault.ts';
import { peek } from './peek.ts';
import { publish } from './publish.ts';
import { recover, sweepTemporary } from './recovery.ts';
import { reject, rejectClaim } from './reject.ts';
import { withdraw } from './withdraw.ts';

/**
 * The mailbox of one session over a disk (signals.md). Calls that give no fault throw a `FaultError` with one sentence when a system call fails;
 * nothing is lost then, and the call can be made again.
 */
export const createMailbox = (disk: Disk, clock: Clock, random: Random, options: MailboxOptions): Mailbox => {
  const box = createBox(disk, clock, random, options);
  return {
    open: () => {
      const fault = openDirectories(box);
      if (fault === null) explained('acks cannot be read', () => loadBroadcasts(box));
      return fault;
    },
    publish: (signal) => publish(box, signal),
    peek: () => peek(box),
    claim: (letter) => explained('the signal was not claimed', () => claim(box, letter)),
    archive: (taken, handling) => archive(box, taken, handling),
    putBack: (taken) => explained('the signal was not put back', () => putBack(box, taken)),
    reject: (file, reason) => explained('the file was not rejected', () => reject(box, file, reason)),
    rejectClaim: (taken, reason) =>
      explained('the signal was not rejected', () => rejectClaim(box, taken, reason)),
    withdraw: (idOrFile, by) => explained('the signal was not withdrawn', () => withdraw(box, idOrFile, by)),
    freeze: (letter, recipients) =>
      explained('the broadcast was not frozen', () => freeze(box, letter, recipients)),
    acknowledge: (id, ack) =>
      explained('the broadcast was not acknowledged', () => acknowledge(box, id, ack)),
    strike: (id, recipient) => explained('the recipient was not struck', () => strike(box, id, recipient)),
    broadcast: (id) => explained('the broadcast cannot be read', () => readBroadcast(box, id)),
    broadcasts: () => explained('the broadcasts cannot be read', () => openBroadcasts(box)),
    recover: (choice) => explained('claims cannot be recovered', () => recover(box, choice)),
    sweepTemporary: () => explained('tmp/ cannot be swept', () => sweepTemporary(box)),
    find: (letter) => explained('the mailbox cannot be read', () => find(box, letter)),
    list: () => explained('the mailbox cannot be read', () => list(box)),
  };
};
