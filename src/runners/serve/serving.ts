import { join } from 'node:path';
import type { z } from 'zod';
import type { Backend, Brief } from '../../agents/port.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import type { Random } from '../../base/random.ts';
import type { Peer } from '../link/peer.io.ts';
import { claimPlace } from '../places/owned-place.ts';
import type { Cache } from '../repository/cache.ts';
import type { Capabilities, toRunner } from '../wire/to-runner.ts';
import type { Job } from './job.ts';
import type { LateBook } from './late.ts';
import { tidy } from './tidy.ts';

/** What a host asks to open. */
export type OpenAsked = z.output<typeof toRunner.open.params>;

export interface ServePorts {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly random: Random;
  readonly spawn: Spawn;
  /** The name of this machine. */
  readonly machine: string;
  readonly cache: Cache;
  readonly late: LateBook;
  readonly removeTree: (path: string) => Promise<void>;
  /** Where the work of all links of this machine is, absolute. */
  readonly work: string;
  /** The directory of this link in it. */
  readonly link: string;
  /** Ends the link of another process here, which keeps what it has. Resolves when that is gone. */
  readonly endLink: (link: string) => Promise<void>;
  readonly backends: (brief: Pick<Brief, 'mode' | 'settings'>) => readonly Backend[];
  /** Why an invocation may not be opened on this link; `null`: it may. */
  readonly only: (asked: OpenAsked) => Fault | null;
  /** What this machine has; `programs`: those that the host asks about. */
  readonly describe: (programs: readonly string[]) => Promise<Capabilities>;
}

/** What one process serves on one link. */
export interface Serving {
  readonly ports: ServePorts;
  readonly peer: Peer;
  /** Of this link. */
  readonly directory: string;
  /** Invocations that the host has not closed. */
  readonly jobs: Map<string, Job & { readonly orphanAfterMs: number }>;
  /** The directory belongs to this process. */
  isOurs: boolean;
  /** Nothing in it is needed any more. */
  isKept: boolean;
  tidied: Promise<void> | null;
}

export const beginServing = (ports: ServePorts, peer: Peer): Serving => ({
  ...{ ports, peer, jobs: new Map() },
  directory: join(ports.work, ports.link),
  ...{ isOurs: false, isKept: true, tidied: null },
});

export const jobOf = ({ jobs }: Serving, invocation: string): Job => {
  const job = jobs.get(invocation);
  if (job) return job;
  throw new FaultError({ code: 'runner-restarted', what: `the runner has no work from ${invocation}` });
};

/** Makes the directory of the link ours, before the first file in it. */
export const claimDirectory = (serving: Serving): void => {
  if (!serving.isOurs) claimPlace(serving.ports, serving.directory);
  serving.isOurs = true;
};

/** Clears up what killed processes left, once. */
export const clearUp = (serving: Serving): Promise<void> => {
  serving.tidied ??= tidy(serving.ports);
  return serving.tidied;
};
