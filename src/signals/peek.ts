import { join } from 'node:path';
import { DiskError } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import type { Box, Sighting } from './box.ts';
import { isClosed } from './broadcast.ts';
import { claimPath } from './claim.ts';
import { directoryProblem } from './directories.ts';
import type { Peeked } from './mailbox.ts';
import { orFault } from './mailbox-fault.ts';
import { classifyName, parseSignalName } from './names.ts';
import { compareOrdered, compareText, type Ordered, orderOf } from './order.ts';
import { isUnchanged, sight } from './sighting.ts';

/** One poll reads at most this many new files, or for this long (rule 12). */
const mostNew = 200;
const longestMs = 10;

/** Where `signals pending` becomes a warning, and where publishers are refused (rule 12). */
export const manyPending = 1_000;
export const mostPending = 10_000;

/**
 * Rules 2, 3, 4 and 12: what may be handled now, in order. Never throws: a mailbox that cannot be read is a `problem`. An empty mailbox costs two
 * `readdir` and allocates nothing.
 */
export const peek = (box: Box): Peeked => {
  try {
    return attempt(box);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const again = orFault('the mailbox cannot be read', () => bringBack(box, error) ?? attempt(box));
    return 'letters' in again ? again : { ...nothing, problem: again };
  }
};

const attempt = (box: Box): Peeked => {
  const names = box.disk.readdir(box.paths.inputs);
  const claimed = box.disk.readdir(box.paths.claimed).length > 0;
  if (names.length > 0 || box.frozen.size > 0) return look(box, names, claimed);
  if (box.sightings.size > 0) box.sightings.clear();
  return claimed ? onlyClaimed : nothing;
};

const nothing: Peeked = {
  letters: [],
  spoiled: [],
  hints: [],
  pending: 0,
  settlesInMs: 0,
  more: false,
  claimed: false,
  problem: null,
};
const onlyClaimed: Peeked = { ...nothing, claimed: true };

const look = (box: Box, names: readonly string[], claimed: boolean): Peeked => {
  const problem = directoryProblem(box, box.paths.inputs);
  if (problem) return { ...nothing, claimed, problem };
  const hints: string[] = [];
  const signals: string[] = [];
  for (const name of names) (classifyName(name) === 'scratch' ? hints : signals).push(name);
  const { seen, more } = sightings(box, signals);
  const now = box.clock.monotonic();
  const letters: Ordered[] = [];
  const spoiled: Peeked['spoiled'][number][] = [];
  let settlesInMs = 0;
  for (const [file, sighting] of seen) {
    const left = sighting.settleMs - (now - sighting.since);
    if (left > 0) {
      if (sighting.ordered) settlesInMs = Math.max(settlesInMs, left);
      continue;
    }
    if (sighting.ordered) letters.push(sighting.ordered);
    else spoiled.push({ file, reason: sighting.reason ?? 'is no signal' });
  }
  letters.push(...frozenWithoutFile(box, letters));
  return {
    letters: letters.sort(compareOrdered).map(({ letter }) => letter),
    spoiled,
    hints,
    pending: signals.length,
    settlesInMs,
    more,
    claimed,
    problem: null,
  };
};

/** The bytes at the freeze are the signal (rule 8): it goes on though somebody edited or removed its file since. */
const frozenWithoutFile = (box: Box, letters: readonly Ordered[]): readonly Ordered[] => {
  if (box.frozen.size === 0) return [];
  const there = new Set(letters.map(({ letter }) => letter.id));
  const missing = [...box.frozen.values()].filter(({ id }) => !there.has(id));
  return missing
    .filter((letter) => !box.inFlight.has(claimPath(box, letter)) && !isClosed(box, letter.id))
    .map((letter) => orderOf(letter, 0, box.clock.offsetMinutes));
};

/** Every signal's sighting: from memory where the file is unchanged, else read, oldest name first, as far as the bound allows. */
const sightings = (box: Box, names: readonly string[]) => {
  const seen = new Map<string, Sighting>();
  const fresh: string[] = [];
  for (const name of names) {
    const known = box.sightings.get(name);
    const stat = known && box.disk.lstat(join(box.paths.inputs, name));
    if (known && stat && isUnchanged(known, stat)) seen.set(name, known);
    else fresh.push(name);
  }
  if (fresh.length === 0) box.instants.clear();
  const queue = fresh.length > 1 ? oldestFirst(box, fresh) : fresh;
  const started = box.clock.monotonic();
  let read = 0;
  for (const name of queue) {
    // At least one, however slow the disk is: every call gets further.
    if (read === mostNew || (read > 0 && box.clock.monotonic() - started > longestMs)) break;
    read += 1;
    const sighting = sight(box, name);
    if (sighting) seen.set(name, sighting);
  }
  box.sightings.clear();
  for (const [name, sighting] of seen) box.sightings.set(name, sighting);
  return { seen, more: read < fresh.length };
};

const oldestFirst = (box: Box, names: readonly string[]): readonly string[] =>
  names
    .map((name) => ({ name, at: instantOf(box, name) }))
    .sort((a, b) => a.at - b.at || compareText(a.name, b.name))
    .map(({ name }) => name);

const instantOf = (box: Box, name: string): number => {
  const known = box.instants.get(name);
  if (known !== undefined) return known;
  const at = parseSignalName(name, box.clock.offsetMinutes) ?? 0;
  box.instants.set(name, at);
  return at;
};

/** Somebody deleted or replaced a directory while we run: made again where nothing is there, else said. */
const bringBack = (box: Box, error: DiskError): Fault | null => {
  const { disk, paths } = box;
  const top = directoryProblem(box, paths.directory);
  if (top) return top;
  for (const path of [paths.inputs, paths.claimed]) {
    if (disk.lstat(path) === null) disk.mkdir(path);
    const problem = directoryProblem(box, path);
    if (problem) return problem;
  }
  if (error.code !== 'ENOENT') throw error;
  return null;
};
