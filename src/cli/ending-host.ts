import { readJournal } from '../observability/journal-file.ts';
import type { Event } from '../pipeline/event.ts';
import { readLock } from '../session/lock.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { EngineWish } from './wire.ts';
import type { World } from './world.ts';

/**
 * The process that has stopped the session and still holds its lock, or `null`: behind `session.stopped` it sees to it that no process is left, and
 * ends. Such a session runs no more, and whoever takes it up only has to wait.
 */
export const endingHost = (world: World, paths: SessionPaths, events: readonly Event[]): number | null => {
  const stopped = events.findLastIndex(({ type }) => type === 'session.stopped');
  const begun = events.findLast((event) => event.type === 'session.started');
  if (begun === undefined || stopped < events.lastIndexOf(begun)) return null;
  const holder = readLock(world.disk, paths);
  if (!holder || holder.released || world.spawn.isAlive(holder) !== 'alive') return null;
  // One of a later epoch takes the session up just now, and has not said so yet.
  return holder.epoch === begun.epoch ? holder.pid : null;
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
  const isHeld = (): boolean => {
    const holder = readLock(world.disk, paths);
    return holder !== null && !holder.released && world.spawn.isAlive(holder) === 'alive';
  };
  if (!isHeld()) return;
  const pid = endingHost(world, paths, readJournal(world.disk, paths.journal).events);
  if (pid === null) return;
  tell(`process ${pid} has stopped the session and has not ended yet: waiting for it`);
  const until = world.clock.monotonic() + 2 * settings.timeouts.abort_grace + marginMs;
  while (isHeld() && world.clock.monotonic() < until && leaving?.aborted !== true)
    await new Promise<void>((resolve) => void world.clock.after(lookEveryMs, resolve));
};
