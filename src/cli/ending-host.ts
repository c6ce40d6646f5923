import { readJournal } from '../observability/journal-file.ts';
import type { Event } from '../pipeline/event.ts';
import { type Holder, readLock } from '../session/lock.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { EngineWish } from './wire.ts';
import type { World } from './world.ts';

/** The process that runs the session, or `null` when nobody does: one that only ends does not any more. */
export const runningHost = (world: World, paths: SessionPaths, events: readonly Event[]): number | null => {
  const holder = livingHolder(world, paths);
  return holder !== null && !isEnding(holder, events) ? holder.pid : null;
};

/**
 * The process that has stopped the session and still holds its lock, or `null`: behind `session.stopped` it sees to it that no process is left, and
 * ends. Whoever takes such a session up only has to wait.
 */
const endingHost = (world: World, paths: SessionPaths, events: readonly Event[]): number | null => {
  const holder = livingHolder(world, paths);
  return holder !== null && isEnding(holder, events) ? holder.pid : null;
};

/** Each answer rests on one look at the lock: between two of them it may be released. */
const livingHolder = (world: World, paths: SessionPaths): Holder | null => {
  const holder = readLock(world.disk, paths);
  return holder && !holder.released && world.spawn.isAlive(holder) === 'alive' ? holder : null;
};

/** A holder of a later epoch takes the session up just now, and has not said so yet. */
const isEnding = ({ epoch }: Holder, events: readonly Event[]): boolean => {
  const stopped = events.findLastIndex(({ type }) => type === 'session.stopped');
  const begun = events.findLast((event) => event.type === 'session.started');
  return begun !== undefined && stopped >= events.lastIndexOf(begun) && epoch === begun.epoch;
};

const lookEveryMs = 50;
/** Beyond the two graces that stopping takes at most. */
const marginMs = 3_000;

/**
 * Waits until whoever stopped the session has ended, `tell` says so; at once where nobody has to. What does not end holds the lock on, and the
 * engine names it.
 */
export const untilEnded = async (
  world: World,
  { paths, settings }: Pick<EngineWish, 'paths' | 'settings'>,
  tell: (sentence: string) => void,
  leaving?: AbortSignal,
): Promise<void> => {
  const isHeld = (): boolean => livingHolder(world, paths) !== null;
  const pid = endingHost(world, paths, readJournal(world.disk, paths.journal).events);
  if (pid === null) return;
  tell(`process ${pid} has stopped the session and has not ended yet: waiting for it`);
  // By the number of looks: a machine that slept in between gave it no time to end.
  const looks = Math.ceil((2 * settings.timeouts.abort_grace + marginMs) / lookEveryMs);
  for (let look = 0; isHeld() && look < looks && leaving?.aborted !== true; look += 1)
    await new Promise<void>((resolve) => void world.clock.after(lookEveryMs, resolve));
};
