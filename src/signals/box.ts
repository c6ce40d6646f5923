import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disk, FileStat } from '../base/disk.ts';
import type { Random } from '../base/random.ts';
import type { MailboxEntry, MailboxOptions } from './mailbox.ts';
import type { Ordered } from './order.ts';
import { formatOwner } from './owner.ts';
import type { Letter } from './signal.ts';

/** What the parts of a mailbox share: its ports, its directories, and what this instance remembers. */
export interface Box {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: MailboxOptions;
  readonly paths: BoxPaths;
  /** Our name in `claimed/` and `tmp/`. */
  readonly owner: string;
  /** Peeks by name (rule 3). */
  readonly sightings: Map<string, Sighting>;
  /** What `list` has read in `processed/`, by name. */
  readonly archived: Map<string, { readonly stat: FileStat; readonly entry: MailboxEntry }>;
  /** Claims of this instance that are not archived, put back or rejected yet, by path. */
  readonly inFlight: Set<string>;
  /** Frozen broadcasts that are not archived yet, by id. */
  readonly frozen: Map<string, Letter>;
  /** The instants of names in `inputs/` that are not read yet: thousands are not parsed again at each poll. */
  readonly instants: Map<string, number>;
  /** The instant of the last name we wrote: no millisecond is used twice. `room`: how many more may be written before we count what waits. */
  readonly written: { last: number; room: number };
}

/** What a file in `inputs/` was when it was last read; good as long as its stat is the same (rule 3). */
export interface Sighting {
  readonly stat: FileStat;
  /** `Clock.monotonic` when it was first seen like this; setting the wall clock cannot make a file old or young. */
  readonly since: number;
  readonly ordered: Ordered | null;
  /** Why it is no signal, as a clause, or null. */
  readonly reason: string | null;
  /** How long it has to stay unchanged before it counts: as a signal, or as unusable. */
  readonly settleMs: number;
}

export interface BoxPaths {
  readonly directory: string;
  readonly tmp: string;
  readonly inputs: string;
  readonly claimed: string;
  readonly acks: string;
  readonly processed: string;
  readonly rejected: string;
}

export const createBox = (disk: Disk, clock: Clock, random: Random, options: MailboxOptions): Box => {
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
    inFlight: new Set(),
    frozen: new Map(),
    instants: new Map(),
    written: { last: 0, room: 0 },
  };
};
