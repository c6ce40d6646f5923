import type { Cancel, Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { CarrierEnds, Offer } from '../carriers/carrier.ts';
import type { Database } from './database.io.ts';
import type { Claim, Work } from './job.io.ts';
import { digestOf, type Identity, type LinkKey } from './keys.io.ts';
import type { Desk, Postbox } from './postbox.ts';
import type { Queue } from './queue.io.ts';
import type { createRowReader, RowWriter } from './row-writer.ts';

export interface PoolCarrierPorts {
  readonly clock: Clock;
  readonly random: Random;
}

/** The identity that this process shows to a pool, and the keys that it believes. */
export interface Login {
  readonly url: string;
  /** Public keys of the runners whose claims count. */
  readonly accept: readonly string[];
  readonly identity: Identity;
}

export interface PoolTarget {
  /** As the configuration calls it. */
  readonly name: string;
  readonly queue: string;
  /** Throws a `FaultError` that says what is missing. */
  readonly login: () => Login;
  /** The session whose earlier processes may have left work. */
  readonly session: string | null;
  /** A runner claimed the work of an invocation. */
  readonly claimed: (invocation: string, number: number) => void;
}

/** The connections of one host's process to a pool. */
export interface Joined {
  readonly login: Login;
  readonly database: Database;
  readonly queue: Queue;
  readonly postbox: Postbox;
}

/** One link, over all its connections. */
export interface Linked {
  readonly link: string;
  readonly key: LinkKey;
  readonly offer: Offer | null;
  /** The runner that is asked about itself; of work, each may claim. */
  visited: string | null;
  signed: string;
  sent: boolean;
  ends: CarrierEnds | null;
  /** Counts its connections. */
  connection: number;
  desk: Desk | null;
  claim: Claim | null;
  /** Digests of all claims that counted: one that comes again would use its keys again. */
  readonly claims: Set<string>;
  read: ReturnType<typeof createRowReader> | null;
  readonly writer: RowWriter;
  cancel: Cancel;
}

/** A host's process, as far as one pool is concerned. */
export interface HostState {
  readonly ports: PoolCarrierPorts;
  readonly target: PoolTarget;
  /** The name of this process in the pool. */
  readonly process: string;
  readonly epoch: number;
  joined: Promise<Joined> | null;
  readonly links: Map<string, Linked>;
  /** Links that `left` found, with the runner of each. */
  readonly visits: Map<string, string>;
}

export const workOf = ({ brief, ...offer }: Offer): Work => ({ ...offer, brief: digestOf(brief) });
