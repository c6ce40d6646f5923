import { join } from 'node:path';
import { formatTimestamp } from '../../base/clock.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import { type PlacePorts, takeLeftPlaces } from '../places/owned-place.ts';
import type { Cache } from '../repository/cache.ts';
import { type JobRecord, readJobRecord } from './job-record.ts';
import type { LateBook } from './late.ts';

interface TidyPorts extends PlacePorts {
  readonly spawn: Spawn;
  readonly cache: Cache;
  readonly late: LateBook;
  readonly removeTree: (path: string) => Promise<void>;
  /** Where the work of all links of this machine is, a directory each. */
  readonly work: string;
}

/** Milliseconds for the agents of a process that was killed. */
const graceMs = 5_000;
/** The most bytes of all copies of repositories. */
const mostBytes = 5 * 1_073_741_824;

/**
 * Clears up after processes that were killed, and keeps the copies of repositories within their bound: agents that still run are stopped, what they changed is
 * kept as late work, and their directories are removed.
 */
export const tidy = async (ports: TidyPorts): Promise<void> => {
  const { work, removeTree, cache, clock } = ports;
  for (const place of takeLeftPlaces(ports, work)) {
    const kept = await Promise.allSettled(
      recordsIn(ports, place).map(({ root, record }) => keep(ports, root, record)),
    );
    // What could not be kept, as on a full disk, is tried again by the next process.
    if (kept.every(({ status }) => status === 'fulfilled')) await removeTree(place);
  }
  const inUse = placesIn(ports).flatMap((place) =>
    recordsIn(ports, place).map(({ record }) => record.repository),
  );
  await cache.trim({ inUse: new Set(inUse), now: clock.now(), mostBytes });
};

export const placesIn = ({ disk, work }: Pick<TidyPorts, 'disk' | 'work'>): readonly string[] =>
  disk.lstat(work) === null ? [] : disk.readdir(work).map((name) => join(work, name));

export const recordsIn = (
  { disk }: Pick<TidyPorts, 'disk'>,
  place: string,
): readonly { readonly root: string; readonly record: JobRecord }[] => {
  if (disk.lstat(place)?.kind !== 'directory') return [];
  return disk.readdir(place).flatMap((name) => {
    const root = join(place, name);
    const record = readJobRecord(disk, root);
    return record === null ? [] : [{ root, record }];
  });
};

const keep = async (
  { cache, late, spawn, clock }: TidyPorts,
  root: string,
  { marker, hasResult, host: _host, ...record }: JobRecord,
): Promise<void> => {
  await spawn.stopMarked([marker], graceMs);
  if (!hasResult) return;
  const tree = { root: join(root, 'tree'), gitDir: join(root, 'tree/.git') };
  const commit = await cache.pack(tree, record.base, join(root, 'result.bundle'));
  if (commit === null) return;
  await cache.keep(record.repository, tree, commit, `${record.session}/${record.invocation}`);
  late.add({ ...record, commit, at: formatTimestamp(clock) });
};
