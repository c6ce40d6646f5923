import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { type Disk, DiskError, diskCode } from '../base/disk.ts';
import type { Fault } from '../base/fault.ts';
import type { ProcessIdentity, Spawn } from '../base/process/spawn.ts';
import type { Random } from '../base/random.ts';
import { readText, replaceFile, writeNew } from '../base/replace-file.ts';
import { sweepTemporaries } from '../base/temporary-file.ts';
import { yamlExcess } from '../base/yaml-bounds.ts';
import { isFresh, signWords, sinceLastSign } from './heartbeat.ts';
import type { SessionPaths } from './paths.ts';

/** The right to run a session: one engine at a time (src/engine/README.md, Crash recovery). */
export interface Lock {
  /** Increases with every holder of the session. */
  readonly epoch: number;
  /** One `readdir`: whether no other process has taken over the session. Checked before every write. */
  isStillOurs(): boolean;
  /** Releases the session; safe to call again. The file stays, so that the next epoch is higher than ours. */
  release(): void;
}

/** The holder of the session, as recorded in `lock/<epoch>`. */
export interface Holder extends ProcessIdentity {
  readonly epoch: number;
  readonly released: boolean;
}

/**
 * Takes the session's lock, or returns a fault about its holder: `lock-held` (a living process), `lock-remote` (another boot, container or machine,
 * whose end cannot be proved; `takeOver` overrules it), `lock-unreadable` (`takeOver` overrules that too).
 *
 * A `link` makes `lock/<epoch>` appear whole, and the highest number holds the lock. After linking, a contender checks again that its number is
 * the highest: a slow one could otherwise re-create a number already tidied away. Throws `DiskError` when the directory cannot be written.
 */
export const acquireLock = (
  disk: Disk,
  random: Random,
  paths: Pick<SessionPaths, 'lock'>,
  identity: ProcessIdentity,
  isAlive: Spawn['isAlive'],
  options: { readonly takeOver?: boolean; readonly clock?: Pick<Clock, 'now'> } = {},
): Lock | Fault => {
  disk.mkdir(paths.lock);
  for (;;) {
    const highest = highestEpoch(disk, paths.lock);
    const holder = highest === 0 ? null : readHolder(disk, paths.lock, highest);
    if (holder === 'gone') continue;
    const since = options.clock === undefined ? null : sinceLastSign(disk, options.clock, paths);
    const refusal = refuse(holder, join(paths.lock, String(highest)), isAlive, {
      takeOver: options.takeOver === true,
      since,
    });
    if (refusal) return refusal;
    const epoch = highest + 1;
    if (!claim(disk, random, paths.lock, epoch, identity)) continue;
    tidy(disk, paths.lock, epoch);
    sweepTemporaries(disk, paths.lock);
    return createLock(disk, random, paths.lock, epoch, identity);
  }
};

/** Whether `acquireLock` returned a lock. */
export const isLock = (result: Lock | Fault): result is Lock => 'isStillOurs' in result;

/** The latest holder, released or not; `null` when the session never had one or its file is unreadable. For `sessions` and viewers. */
export const readLock = (disk: Disk, paths: Pick<SessionPaths, 'lock'>): Holder | null => {
  if (disk.lstat(paths.lock)?.kind !== 'directory') return null;
  const highest = highestEpoch(disk, paths.lock);
  const holder = highest === 0 ? null : readHolder(disk, paths.lock, highest);
  return holder === 'gone' || holder === 'unreadable' ? null : holder;
};

/** `released`: released on a disk too full for new text. */
const epochName = /^([1-9]\d{0,14})(?:-released)?$/;
const epochOf = (name: string): number => Number(epochName.exec(name)?.[1] ?? 0);
const releasedName = (directory: string, epoch: number): string => join(directory, `${epoch}-released`);
const bounds = { depth: 4, entries: 20 };
const holderSchema = z.object({
  boot: z.string(),
  pid_namespace: z.string(),
  pid: z.number().int().positive(),
  start_time: z.string(),
  released: z.boolean(),
});

const formatHolder = (identity: ProcessIdentity, released: boolean): string =>
  [
    `pid: ${identity.pid}`,
    `start_time: ${JSON.stringify(identity.startTime)}`,
    `boot: ${JSON.stringify(identity.boot)}`,
    `pid_namespace: ${JSON.stringify(identity.pidNamespace)}`,
    `released: ${released}`,
    '',
  ].join('\n');

const highestEpoch = (disk: Disk, directory: string): number => {
  let highest = 0;
  for (const name of disk.readdir(directory)) highest = Math.max(highest, epochOf(name));
  return highest;
};

const readHolder = (disk: Disk, directory: string, epoch: number): Holder | 'gone' | 'unreadable' => {
  let text: string | null;
  let isReleased = false;
  try {
    text = readText(disk, join(directory, String(epoch)), 4_096);
    if (text === null) {
      text = readText(disk, releasedName(directory, epoch), 4_096);
      isReleased = text !== null;
    }
  } catch (error) {
    if (error instanceof DiskError) return 'unreadable';
    throw error;
  }
  if (text === null) return 'gone';
  if (yamlExcess(text, bounds) !== null) return 'unreadable';
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, prettyErrors: false });
  if (document.errors.length > 0) return 'unreadable';
  const parsed = holderSchema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (!parsed.success) return 'unreadable';
  const { boot, pid, pid_namespace, start_time, released } = parsed.data;
  return {
    epoch,
    boot,
    pid,
    pidNamespace: pid_namespace,
    startTime: start_time,
    released: released || isReleased,
  };
};

const refuse = (
  holder: Holder | 'unreadable' | null,
  file: string,
  isAlive: Spawn['isAlive'],
  { takeOver, since }: { readonly takeOver: boolean; readonly since: number | null },
): Fault | null => {
  if (holder === null) return null;
  if (holder === 'unreadable') {
    const hint = 'resume with --take-over if no other program is running it';
    const what = 'it is unknown which process is running this session';
    return takeOver ? null : { code: 'lock-unreadable', what, where: file, hint };
  }
  if (holder.released) return null;
  const life = isAlive(holder);
  if (life === 'dead') return null;
  if (life === 'alive') {
    const what = `process ${holder.pid} is already running this session`;
    return { code: 'lock-held', what, where: file, hint: 'attach to it, or stop it first' };
  }
  if (takeOver) return null;
  const what = isFresh(since)
    ? `process ${holder.pid} is running this session elsewhere (${signWords(since)})`
    : `process ${holder.pid} in another boot, container or machine held this session last, and this machine cannot tell whether it is still running (${signWords(since)})`;
  const hint = isFresh(since)
    ? 'attach to it, or stop it there; use --take-over only if it hangs'
    : 'resume with --take-over if it is not';
  return { code: 'lock-remote', what, where: file, hint };
};

/** Whether `epoch` is ours now: linked by us, and the highest. */
const claim = (
  disk: Disk,
  random: Random,
  directory: string,
  epoch: number,
  identity: ProcessIdentity,
): boolean => {
  try {
    writeNew(disk, random, join(directory, String(epoch)), formatHolder(identity, false));
  } catch (error) {
    // ENOENT: the winner has swept our temporary file.
    if (diskCode(error) === 'EEXIST' || diskCode(error) === 'ENOENT') return false;
    throw error;
  }
  if (highestEpoch(disk, directory) === epoch) return true;
  remove(disk, join(directory, String(epoch)));
  return false;
};

/** Keeps the previous epoch for people to read and removes older ones. */
const tidy = (disk: Disk, directory: string, epoch: number): void => {
  for (const name of disk.readdir(directory))
    if (epochOf(name) > 0 && epochOf(name) < epoch - 1) remove(disk, join(directory, name));
};

/** Another contender may have removed it first. A leftover name does no harm. */
const remove = (disk: Disk, path: string): void => {
  try {
    disk.unlink(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
};

const createLock = (
  disk: Disk,
  random: Random,
  directory: string,
  epoch: number,
  identity: ProcessIdentity,
): Lock => {
  let released = false;
  const isStillOurs = (): boolean => {
    try {
      return !released && highestEpoch(disk, directory) === epoch;
    } catch (error) {
      // A missing or unreadable directory holds no lock.
      if (error instanceof DiskError) return false;
      throw error;
    }
  };
  return {
    epoch,
    isStillOurs,
    release: () => {
      if (!isStillOurs()) return;
      released = true;
      const path = join(directory, String(epoch));
      try {
        replaceFile(disk, random, path, formatHolder(identity, true));
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        // A rename needs no space. Otherwise this same process would refuse to continue the session once the disk has space again.
        disk.rename(path, releasedName(directory, epoch));
      }
    },
  };
};
