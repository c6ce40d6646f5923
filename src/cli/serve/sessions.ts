import { safe } from '../../base/safe.ts';
import type { ListedSession } from '../../serve/render/pages.tsx';
import { type SessionPaths, sessionIdPattern, sessionPaths } from '../../session/paths.ts';
import type { Cli } from '../cli.ts';
import { listSessions } from '../session/list-sessions.ts';
import type { World } from '../world.ts';
import { openFeed, type SessionFeed } from './session-feed.ts';

/** The sessions of the workspace. */
export interface Sessions {
  /** The newest first. */
  readonly list: () => readonly ListedSession[];
  /** Of a session that exists, by its whole id; no other text reaches a path. */
  readonly paths: (session: string) => SessionPaths | null;
  readonly feed: (session: string) => SessionFeed | null;
  readonly close: () => void;
}

/** Sessions that are followed at once. */
const mostFeeds = 8;

/** `baseOf`: the address of a session. */
export const createSessions = (
  cli: Cli,
  world: World,
  workspace: string,
  baseOf: (session: string) => string,
): Sessions => {
  const feeds = new Map<string, SessionFeed>();
  const pathsOf = (session: string): SessionPaths | null => {
    if (!sessionIdPattern.test(session)) return null;
    const paths = sessionPaths(workspace, session);
    return world.disk.lstat(paths.directory)?.kind === 'directory' ? paths : null;
  };
  const makeRoom = (): void => {
    for (const [session, feed] of feeds) {
      if (feeds.size < mostFeeds) return;
      if (feed.isUsed()) continue;
      feed.close();
      feeds.delete(session);
    }
  };
  return {
    list: () =>
      listSessions(cli).map(({ session_id, goal, status, progress }) => ({
        session: session_id,
        goal: safe(goal ?? ''),
        status: safe(status),
        progress,
      })),
    paths: pathsOf,
    feed: (session) => {
      const paths = pathsOf(session);
      if (paths === null) return null;
      const open = feeds.get(session);
      if (open !== undefined) return open;
      makeRoom();
      const feed = openFeed(world, paths, baseOf(session));
      feeds.set(session, feed);
      return feed;
    },
    close: () => {
      for (const feed of feeds.values()) feed.close();
      feeds.clear();
    },
  };
};
