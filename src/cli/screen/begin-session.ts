import type { Store } from '../../../components/create-store.ts';
import { type Cli, failure } from '../cli.ts';
import { untilEnded } from '../host/ending-host.ts';
import { hostApart } from '../host/host-apart.ts';
import type { EngineRequest } from '../host/wire.ts';
import { readJournalOf } from '../session/open-session.ts';
import type { World } from '../world.ts';
import { openLive } from './live-session.ts';
import { keepHosted, type ScreenSessions, switchTo } from './screen-sessions.ts';
import { showJournal } from './show-journal.ts';
import type { ShownSession } from './shown-session.ts';

/**
 * Begins or resumes a session while the screen shows `from`, then shows it. Waits until overlays opened meanwhile
 * are closed, so that keys reach what the person sees.
 */
export const beginOnScreen = (
  sessions: ScreenSessions,
  from: ShownSession,
  request: EngineRequest,
): Promise<void> => {
  const begun = beginAndShow(sessions, from, request);
  sessions.begun = Promise.allSettled([sessions.begun, begun]).then(() => {});
  return begun;
};

const beginAndShow = async (
  sessions: ScreenSessions,
  from: ShownSession,
  request: EngineRequest,
): Promise<void> => {
  const { cli, world, leaving } = sessions;
  const depth = from.store.getState().ui.overlays.length;
  const say = (text: string): void =>
    from.store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
  sessions.isBeginning = true;
  const next = await beginSession(cli, world, request, say, leaving.signal).finally(() => {
    sessions.isBeginning = false;
  });
  await keepHosted(sessions, next);
  await untilNothingIsOpen(from.store, depth, leaving.signal);
  if (sessions.shown === from) await switchTo(sessions, next);
  else if (!next.hosted) await next.close();
};

/**
 * Begins a session hosted here, or (`host: background`) in a process of its own that this screen attaches to.
 * Clearing up after a crash may take seconds. Aborts when `leaving` says that the screen closes.
 */
const beginSession = async (
  cli: Cli,
  world: World,
  request: EngineRequest,
  tell: (sentence: string) => void,
  leaving: AbortSignal,
): Promise<ShownSession> => {
  await untilEnded(world, request, tell, leaving);
  if (leaving.aborted) throw failure({ code: 'left', what: 'the screen was closed' });
  if (request.settings.host !== 'background') {
    const live = openLive(cli, world, request);
    await live.start(leaving);
    return live;
  }
  await hostApart(cli, world, request);
  return showJournal(cli, readJournalOf(world, request.paths), request.flags);
};

/**
 * Resolves when at most `depth` overlays are open, so that a switch interrupts no typing or decision. Resolves
 * at once when the screen closes.
 */
export const untilNothingIsOpen = (store: Store, depth: number, leaving: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!leaving.aborted && store.getState().ui.overlays.length > depth) return;
      leaving.removeEventListener('abort', look);
      release();
      resolve();
    };
    const release = store.subscribe(look);
    leaving.addEventListener('abort', look);
    look();
  });
