import { readJournal } from '../../observability/journal-file.ts';
import type { Event } from '../../pipeline/event.ts';
import { type Holder, readLock } from '../../session/lock.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { hostLife } from '../session/host-life.ts';
import type { World } from '../world.ts';
import type { EngineRequest } from './wire.ts';

/** The pid of the process that runs the session, or `null`. A host that is shutting down does not count. */
export const runningHost = (world: World, paths: SessionPaths, events: readonly Event[]): number | null => {
  const holder = livingHolder(world, paths);
  return holder !== null && !isEnding(holder, events) ? holder.pid : null;
};

/** Each answer uses one read of the lock, which may be released between two reads. */
const livingHolder = (world: World, paths: SessionPaths): Holder | null => {
  const holder = readLock(world.disk, paths);
  return holder && !holder.released && hostLife(world, paths, holder).alive ? holder : null;
};

/** A holder with a later epoch is resuming the session and has not journaled that yet. */
const isEnding = ({ epoch }: Holder, events: readonly Event[]): boolean => {
  const stopped = events.findLastIndex(({ type }) => type === 'session.stopped');
  const begun = events.findLast((event) => event.type === 'session.started');
  return begun !== undefined && stopped >= events.lastIndexOf(begun) && epoch === begun.epoch;
};

const lookEveryMs = 50;
/** Added to the two grace periods that a stop takes at most. */
const marginMs = 3_000;

/**
 * Waits for a host that is shutting down, and reports it through `tell`. Returns at once when there is none. After
 * `session.stopped` a host makes sure that no process is left, then ends. If it does not end, it keeps the lock, and
 * the engine names it.
 */
export const untilEnded = async (
  world: World,
  { paths, settings }: Pick<EngineRequest, 'paths' | 'settings'>,
  tell: (sentence: string) => void,
  leaving?: AbortSignal,
): Promise<void> => {
  const isHeld = (): boolean => livingHolder(world, paths) !== null;
  const holder = livingHolder(world, paths);
  if (holder === null || !isEnding(holder, readJournal(world.disk, paths.journal).events)) return;
  tell(`process ${holder.pid} has stopped the session but has not exited yet; waiting for it`);
  // Counts looks instead of time: a machine that slept gave the host no time to end.
  const looks = Math.ceil((2 * settings.timeouts.abort_grace + marginMs) / lookEveryMs);
  for (let look = 0; isHeld() && look < looks && leaving?.aborted !== true; look += 1)
    await new Promise<void>((resolve) => void world.clock.after(lookEveryMs, resolve));
};
