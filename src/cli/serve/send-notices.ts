import { join } from 'node:path';
import { needsOf } from '../../../components/needs/select-needs.ts';
import { safe } from '../../base/safe.ts';
import { sessionsDirectory } from '../../changes/git/changed-paths.ts';
import { watchDirectory } from '../../engine/mailbox/watch-directory.io.ts';
import { dueNotice, type Notice } from '../../serve/act/notice.ts';
import type { Settings } from '../../session/settings.ts';
import { isComplete } from '../../session/status.ts';
import { hostOf } from '../session/open-session.ts';
import type { World } from '../world.ts';
import { drawOften } from './draw-often.ts';
import type { SessionFeed } from './session-feed.ts';
import type { Sessions } from './sessions.ts';

interface NoticePorts {
  readonly world: World;
  readonly workspace: string;
  readonly sessions: Sessions;
  readonly settings: Pick<Settings, 'notify'>;
  readonly tell: (notice: Notice) => void;
}

/** The newest sessions are followed. */
const mostSessions = 5;
/** A new session is looked for when the directory changes, and now and then, because a watcher only hints. */
const settleMs = 1_000;
const pollMs = 30_000;
/** Events come in bursts, and nobody waits for a notice. */
const pace = { everyMs: 500, rest: 50 };

/** Tells when something has waited for a person and no page shows that session. Returns the function that ends it. */
export const sendNotices = (ports: NoticePorts): (() => void) => {
  const { world, workspace, sessions } = ports;
  const told = new Set<string>();
  const followed = new Map<string, () => void>();
  let cancel = (): void => {};
  const later = (ms: number): void => {
    cancel();
    cancel = world.clock.after(ms, look);
  };
  const look = (): void => {
    later(pollMs);
    const newest = sessions.list().slice(0, mostSessions);
    for (const { session } of newest) {
      const paths = sessions.paths(session);
      if (followed.has(session) || paths === null || world.disk.lstat(paths.journal) === null) continue;
      const feed = sessions.feed(session);
      if (feed !== null) followed.set(session, followNeeds(ports, session, feed, told));
    }
    for (const [session, stop] of followed) {
      if (newest.some((each) => each.session === session)) continue;
      stop();
      followed.delete(session);
    }
  };
  look();
  // The directory of a session appears before its journal.
  const stopWatching = watchDirectory(join(workspace, sessionsDirectory), () => later(settleMs));
  return () => {
    stopWatching();
    cancel();
    for (const stop of followed.values()) stop();
    followed.clear();
  };
};

const followNeeds = (
  { world, settings, tell }: NoticePorts,
  session: string,
  feed: SessionFeed,
  told: Set<string>,
): (() => void) => {
  const { clock } = world;
  const { after, content } = settings.notify;
  let viewers = feed.viewers();
  let seenAt = 0;
  let cancel = (): void => {};
  const look = (): void => {
    cancel();
    const state = feed.seen().view.session;
    if (state === null || feed.viewers() > 0 || isComplete(state)) return;
    if (hostOf(world, feed.paths)?.alive !== true) return;
    const waiting = { session, goal: safe(state.goal), needs: needsOf(state) };
    const due = dueNotice(waiting, { now: clock.now(), seenAt, afterMs: after, content }, told);
    if (due.kind === 'tell') tell(due.notice);
    if (due.kind === 'later') cancel = clock.after(due.inMs, look);
  };
  const often = drawOften(clock, pace, look);
  const unfollow = feed.follow(() => {
    if (feed.viewers() === 0 && viewers > 0) seenAt = clock.now();
    viewers = feed.viewers();
    often.dirty();
  });
  look();
  return () => {
    unfollow();
    often.stop();
    cancel();
  };
};
