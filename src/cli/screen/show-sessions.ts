import { safe } from '../../base/safe.ts';
import type { Cli } from '../cli.ts';
import { stayWithoutTerminal } from '../host/stay-without-terminal.ts';
import { stopOnSignals } from '../host/stop-on-signals.ts';
import { createIssuesPort } from '../issues/issues-port.ts';
import type { World } from '../world.ts';
import { discoverBesideStart } from './discover-on-screen.ts';
import { performIntent } from './perform-intent.ts';
import { closeSessions, quitByChoice, quitDisconnected, quitOnSignal } from './quit-sessions.ts';
import { openScreen, type ScreenOptions } from './screen.tsx';
import { createScreenSessions, leaveTalk, type ScreenSessions, workspaceOf } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';
import { offerIssuesBesideStart } from './start-issue.ts';

/**
 * One screen and the sessions it shows one after another. All are closed with the screen. Returns the exit code
 * of the session shown last. `begin` runs behind the first frame; when it throws, the screen closes and this throws.
 */
export const showSessions = async (
  cli: Cli,
  world: World,
  first: ShownSession,
  begin?: (leaving: AbortSignal) => Promise<void>,
): Promise<number> => {
  const sessions = createScreenSessions(cli, world, first);
  const screen = openScreen(cli, optionsOf(sessions, first));
  sessions.draw = (target) => screen.show(optionsOf(sessions, target));
  discoverBesideStart(sessions, first);
  offerIssuesBesideStart(sessions, first);
  const release = stopOnSignals(cli, {
    quit: async (stop) => {
      await quitOnSignal(sessions, stop);
      screen.close();
    },
  });
  const begun = begin ? beginBehindFrame(sessions, begin, screen.close) : null;
  try {
    const broken = await screen.gone;
    sessions.leaving.abort();
    await leaveTalk(sessions);
    await sessions.begun;
    const refused = await begun;
    if (refused !== null && broken === null) throw refused;
    if (broken) {
      cli.note(`ralph-tui: the screen crashed: ${safe(broken.message)}`);
      await quitDisconnected(sessions, 'quit: the screen crashed');
    }
    const { exitCode, staying } = await closeSessions(sessions, broken !== null);
    const [first, ...more] = staying;
    if (first === undefined) return exitCode;
    release();
    return await stayWithoutTerminal(cli, exitCode, [first, ...more]);
  } finally {
    release();
  }
};

const optionsOf = (sessions: ScreenSessions, target: ShownSession): ScreenOptions => ({
  store: target.store,
  clock: sessions.world.clock,
  port: {
    ...target.port,
    issues: createIssuesPort(sessions.cli, sessions.world, workspaceOf(sessions, target)),
    perform: (intent) => performIntent(sessions, target, intent),
  },
  quit: (choice) => quitByChoice(sessions, target, choice),
});

/** Resolves to why the session could not begin, or `null`. Leaving meanwhile is no fault. */
const beginBehindFrame = async (
  sessions: ScreenSessions,
  begin: (leaving: AbortSignal) => Promise<void>,
  close: () => void,
): Promise<Error | null> => {
  const { signal } = sessions.leaving;
  sessions.isBeginning = true;
  try {
    // Ink attaches the keyboard after the first frame is written.
    await new Promise<void>((resolve) => void sessions.world.clock.after(0, resolve));
    await begin(signal);
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    close();
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    sessions.isBeginning = false;
  }
};
