import { safe } from '../../base/safe.ts';
import type { Cli } from '../cli.ts';
import { stopOnSignals } from '../host/stop-on-signals.ts';
import type { World } from '../world.ts';
import { discoverBesideStart } from './discover-on-screen.ts';
import { performIntent } from './perform-intent.ts';
import { closeSessions, quitByChoice, quitDisconnected, quitOnSignal } from './quit-sessions.ts';
import { openScreen, type ScreenOptions } from './screen.tsx';
import { createScreenSessions, type ScreenSessions } from './screen-sessions.ts';
import type { ShownSession } from './shown-session.ts';

/**
 * One screen and the sessions it shows one after another. All are closed with the screen. Returns the exit code
 * of the session shown last.
 */
export const showSessions = async (cli: Cli, world: World, first: ShownSession): Promise<number> => {
  const sessions = createScreenSessions(cli, world, first);
  const screen = openScreen(cli, optionsOf(sessions, first));
  sessions.draw = (target) => screen.show(optionsOf(sessions, target));
  discoverBesideStart(sessions, first);
  const release = stopOnSignals(cli, {
    quit: async (stop) => {
      await quitOnSignal(sessions, stop);
      screen.close();
    },
  });
  try {
    const broken = await screen.gone;
    sessions.leaving.abort();
    await sessions.begun;
    if (broken) {
      cli.note(`ralph-tui: the screen broke: ${safe(broken.message)}`);
      await quitDisconnected(sessions, 'quit: the screen broke');
    }
    return await closeSessions(sessions, broken !== null);
  } finally {
    release();
  }
};

const optionsOf = (sessions: ScreenSessions, target: ShownSession): ScreenOptions => ({
  store: target.store,
  clock: sessions.world.clock,
  port: { ...target.port, perform: (intent) => performIntent(sessions, target, intent) },
  quit: (choice) => quitByChoice(sessions, target, choice),
});
