import { join } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import type { Fault } from '../../base/fault.ts';
import type { Peeked } from '../mailbox.ts';
import { compareOrdered, compareText, isUrgent, type Ordered, orderOf } from '../order.ts';
import { isClosed } from './broadcast.ts';
import { claimPath } from './claim.ts';
import { directoryProblem } from './directories.ts';
import { orFault } from './mailbox-fault.ts';
import type { MailboxParts, Sighting } from './mailbox-parts.ts';
import { classifyName, parseSignalName } from './names.ts';
import { isUnchanged, sight } from './sighting.ts';

/** One poll reads at most this many new files, or for this long (rule 12). */
const mostNew = 200;
const longestMs = 10;

/** The count at which `signals pending` warns, and the one at which publishing is refused (rule 12). */
export const manyPending = 1_000;
export const mostPending = 10_000;

/**
 * Rules 2, 3, 4 and 12: the signals ready for handling, in order. Never throws: an unreadable mailbox is a `problem`. An empty mailbox costs two
 * `readdir` and allocates nothing.
 */
export const peek = (parts: MailboxParts): Peeked => {
  try {
    return attempt(parts);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const again = orFault('the mailbox cannot be read', () => bringBack(parts, error) ?? attempt(parts));
    return 'pendingSignals' in again ? again : { ...nothing, problem: again };
  }
};

const attempt = (parts: MailboxParts): Peeked => {
  const names = parts.disk.readdir(parts.paths.inputs);
  const claimed = parts.disk.readdir(parts.paths.claimed).length > 0;
  if (names.length > 0 || parts.frozen.size > 0) return look(parts, names, claimed);
  if (parts.sightings.size > 0) parts.sightings.clear();
  return claimed ? onlyClaimed : nothing;
};

const nothing: Peeked = {
  pendingSignals: [],
  spoiled: [],
  hints: [],
  pending: 0,
  settlesInMs: 0,
  more: false,
  claimed: false,
  problem: null,
};
const onlyClaimed: Peeked = { ...nothing, claimed: true };

const look = (parts: MailboxParts, names: readonly string[], claimed: boolean): Peeked => {
  const problem = directoryProblem(parts, parts.paths.inputs);
  if (problem) return { ...nothing, claimed, problem };
  const hints: string[] = [];
  const signals: string[] = [];
  for (const name of names) (classifyName(name) === 'scratch' ? hints : signals).push(name);
  const { seen, unread } = sightings(parts, signals);
  const now = parts.clock.monotonic();
  const pendingSignals: Ordered[] = [];
  const spoiled: Peeked['spoiled'][number][] = [];
  let settlesInMs = 0;
  for (const [file, sighting] of seen) {
    const left = sighting.settleMs - (now - sighting.since);
    if (left > 0) {
      if (sighting.ordered) settlesInMs = Math.max(settlesInMs, left);
      continue;
    }
    if (sighting.ordered && isTurn(sighting.ordered, unread)) pendingSignals.push(sighting.ordered);
    else if (!sighting.ordered) spoiled.push({ file, reason: sighting.reason ?? 'is not a signal' });
  }
  pendingSignals.push(...frozenWithoutFile(parts, pendingSignals));
  return {
    pendingSignals: pendingSignals.sort(compareOrdered).map(({ pendingSignal }) => pendingSignal),
    spoiled,
    hints,
    pending: signals.length,
    settlesInMs,
    more: unread !== null,
    claimed,
    problem: null,
  };
};

/** Rule 4 beside rule 12: what is read already does not overtake an older file that this look had no time for. Stopping still does. */
const isTurn = ({ pendingSignal, written }: Ordered, unread: number | null): boolean =>
  unread === null || written <= unread || isUrgent(pendingSignal.signal);

/** The bytes at the freeze are the signal (rule 8): it stays pending even when its file was edited or removed since. */
const frozenWithoutFile = (parts: MailboxParts, pendingSignals: readonly Ordered[]): readonly Ordered[] => {
  if (parts.frozen.size === 0) return [];
  const there = new Set(pendingSignals.map(({ pendingSignal }) => pendingSignal.id));
  const missing = [...parts.frozen.values()].filter(({ id }) => !there.has(id));
  return missing
    .filter(
      (pendingSignal) =>
        !parts.inFlight.has(claimPath(parts, pendingSignal)) && !isClosed(parts, pendingSignal.id),
    )
    .map((pendingSignal) => orderOf(pendingSignal, 0, parts.clock.offsetMinutes));
};

/**
 * Every signal's sighting: from memory when the file is unchanged, else read, the oldest first, as far as the bound allows. `unread`: the instant of
 * the oldest that it left.
 */
const sightings = (parts: MailboxParts, names: readonly string[]) => {
  const seen = new Map<string, Sighting>();
  const fresh: string[] = [];
  for (const name of names) {
    const known = parts.sightings.get(name);
    const stat = known && parts.disk.lstat(join(parts.paths.inputs, name));
    if (known && stat && isUnchanged(known, stat)) seen.set(name, known);
    else fresh.push(name);
  }
  if (fresh.length === 0) parts.instants.clear();
  const queue = fresh.length > 1 ? oldestFirst(parts, fresh) : fresh;
  const started = parts.clock.monotonic();
  let read = 0;
  for (const name of queue) {
    // At least one, however slow the disk is, so that every call makes progress.
    if (read === mostNew || (read > 0 && parts.clock.monotonic() - started > longestMs)) break;
    read += 1;
    const sighting = sight(parts, name);
    if (sighting) seen.set(name, sighting);
  }
  parts.sightings.clear();
  for (const [name, sighting] of seen) parts.sightings.set(name, sighting);
  const left = queue[read];
  return { seen, unread: left === undefined ? null : instantOf(parts, left) };
};

const oldestFirst = (parts: MailboxParts, names: readonly string[]): readonly string[] =>
  names
    .map((name) => ({ name, at: instantOf(parts, name) }))
    .sort((a, b) => a.at - b.at || compareText(a.name, b.name))
    .map(({ name }) => name);

const instantOf = (parts: MailboxParts, name: string): number => {
  const known = parts.instants.get(name);
  if (known !== undefined) return known;
  const { disk, clock, paths } = parts;
  const at = parseSignalName(name, clock.offsetMinutes) ?? disk.lstat(join(paths.inputs, name))?.mtimeMs ?? 0;
  parts.instants.set(name, at);
  return at;
};

/** Handles a directory that was deleted or replaced during the run: creates a missing one again, else returns a fault. */
const bringBack = (parts: MailboxParts, error: DiskError): Fault | null => {
  const { disk, paths } = parts;
  const top = directoryProblem(parts, paths.directory);
  if (top) return top;
  for (const path of [paths.inputs, paths.claimed]) {
    if (disk.lstat(path) === null) disk.mkdir(path);
    const problem = directoryProblem(parts, path);
    if (problem) return problem;
  }
  if (error.code !== 'ENOENT') throw error;
  return null;
};
