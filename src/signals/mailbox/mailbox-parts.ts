import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disk, FileStat } from '../../base/disk.ts';
import type { Random } from '../../base/random.ts';
import type { MailboxEntry, MailboxOptions } from '../mailbox.ts';
import type { Ordered } from '../order.ts';
import type { PendingSignal } from '../signal.ts';
import { formatOwner } from './owner.ts';
import type { Frozen } from './recipients.ts';

/** The shared parts of a mailbox: its ports, its directories, and the memory of this instance. */
export interface MailboxParts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: MailboxOptions;
  readonly paths: MailboxPaths;
  /** Our name in `claimed/` and `tmp/`. */
  readonly owner: string;
  /** Peeks by name (rule 3). */
  readonly sightings: Map<string, Sighting>;
  /** Entries that `list` has read in `processed/`, by name. */
  readonly archived: Map<string, { readonly stat: FileStat; readonly entry: MailboxEntry }>;
  /** Entries that were read in `claimed/`, by name. */
  readonly taken: Map<string, { readonly stat: FileStat; readonly entry: MailboxEntry }>;
  /** Claims of this instance that are not yet archived, put back or rejected, by path. */
  readonly inFlight: Set<string>;
  /** Frozen and not yet archived broadcasts, by id. */
  readonly frozen: Map<string, PendingSignal>;
  /** The `recipients.yaml` of open broadcasts as they were read, by path. */
  readonly recipients: Map<string, { readonly stat: FileStat; readonly frozen: Frozen }>;
  /** The instants of unread names in `inputs/`, so that a poll does not parse thousands of names again. */
  readonly instants: Map<string, number>;
  /**
   * `last`: the instant of the last name we wrote; no millisecond is used twice. `room`: the number of writes before the next count of pending
   * signals.
   */
  readonly written: { last: number; room: number };
}

/** The state of a file in `inputs/` at its last read, valid while its stat is the same (rule 3). */
export interface Sighting {
  readonly stat: FileStat;
  /** `Clock.monotonic` when it was first seen in this state. Setting the wall clock cannot make a file old or young. */
  readonly since: number;
  readonly ordered: Ordered | null;
  /** The reason why it is not a signal, as a clause, or null. */
  readonly reason: string | null;
  /** The time without changes before it counts, as a signal or as unusable. */
  readonly settleMs: number;
}

interface MailboxPaths {
  readonly directory: string;
  readonly tmp: string;
  readonly inputs: string;
  readonly claimed: string;
  readonly acks: string;
  readonly processed: string;
  readonly rejected: string;
}

export const createMailboxParts = (
  disk: Disk,
  clock: Clock,
  random: Random,
  options: MailboxOptions,
): MailboxParts => {
  const inside = (name: string): string => join(options.directory, name);
  return {
    disk,
    clock,
    random,
    options,
    paths: {
      directory: options.directory,
      tmp: inside('tmp'),
      inputs: inside('inputs'),
      claimed: inside('claimed'),
      acks: inside('acks'),
      processed: inside('processed'),
      rejected: inside('rejected'),
    },
    owner: formatOwner(options.owner),
    sightings: new Map(),
    archived: new Map(),
    taken: new Map(),
    inFlight: new Set(),
    frozen: new Map(),
    recipients: new Map(),
    instants: new Map(),
    written: { last: 0, room: 0 },
  };
};
