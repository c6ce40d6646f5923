import { join } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { namesIn } from '../../base/names-in.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import { readLock } from '../../session/lock.ts';
import { type SessionPaths, sessionIdPattern } from '../../session/paths.ts';
import { createSessionShadow, type SessionShadow } from './session-shadow.ts';

/** The workspace's other sessions, which a command such as `git clean -fdx` deletes together with ours. */
export interface OtherSessions {
  /** Follows them while no agent works. */
  refresh(): void;
  /** Brings back sessions that are gone since. */
  restore(): { readonly back: readonly string[]; readonly lost: readonly string[] };
}

/** How many sessions, newest first, get second names for their files: the first look costs one link per file. The loss of an older one is only reported. */
const mostKept = 10;

/** A session that runs is left alone: its own program brings it back. `place` is a private directory for second names. */
export const createOtherSessions = (
  disk: Disk,
  isAlive: Spawn['isAlive'],
  paths: SessionPaths,
  place: string,
): OtherSessions => {
  const shadows = new Map<string, SessionShadow>();
  let known: readonly string[] = [];

  const isThere = (session: string): boolean =>
    disk.lstat(join(paths.root, session, 'journal.jsonl')) !== null;
  const runs = (session: string): boolean => {
    const holder = readLock(disk, { lock: join(paths.root, session, 'lock') });
    return holder !== null && !holder.released && isAlive(holder) !== 'dead';
  };
  const shadowOf = (session: string): SessionShadow => {
    const shadow =
      shadows.get(session) ?? createSessionShadow(disk, join(paths.root, session), join(place, session));
    shadows.set(session, shadow);
    return shadow;
  };

  return {
    refresh: () => {
      known = namesIn(disk, paths.root)
        .filter(
          (name) => sessionIdPattern.test(name) && name !== paths.session && isThere(name) && !runs(name),
        )
        .toSorted();
      for (const session of known.slice(-mostKept)) shadowOf(session).refresh();
    },
    restore: () => {
      const gone = known.filter((session) => !isThere(session));
      for (const session of gone) shadows.get(session)?.restore();
      return { back: gone.filter(isThere), lost: gone.filter((session) => !isThere(session)) };
    },
  };
};

/** For hosts without a place of their own. */
export const noOtherSessions: OtherSessions = { refresh: () => {}, restore: () => ({ back: [], lost: [] }) };
