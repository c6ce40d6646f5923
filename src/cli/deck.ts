import { safe } from '../base/safe.ts';
import type { QuitChoice } from '../store/intent.ts';
import { type Cli, exitCodes, usage } from './cli.ts';
import { stopOnSignals } from './hosting.ts';
import { openScreen, type ScreenOptions, type WorldIntent } from './screen.tsx';
import type { Showing } from './showing.ts';
import type { World } from './world.ts';

/**
 * One screen and the sessions it shows one after another. What this program hosts stays open while the screen is turned elsewhere, and all of it
 * is closed when the screen goes, however it went. Gives the exit code of the session shown last.
 */
export const runDeck = async (cli: Cli, world: World, first: Showing): Promise<number> => {
  let shown = first;
  const hosted = new Set<Showing>(first.hosted ? [first] : []);

  const turnTo = async (next: Showing): Promise<void> => {
    const before = shown;
    shown = next;
    if (next.hosted) hosted.add(next);
    screen.show(optionsOf(next));
    if (!before.hosted) await before.close();
  };

  const perform = async (from: Showing, intent: WorldIntent): Promise<string | null> => {
    switch (intent.type) {
      case 'resume': {
        await turnTo(await resumed(cli, world, from));
        return null;
      }
      default:
        return from.port.perform(intent);
    }
  };

  const optionsOf = (showing: Showing): ScreenOptions => ({
    store: showing.store,
    clock: world.clock,
    ascii: showing.ascii,
    port: { ...showing.port, perform: (intent) => perform(showing, intent) },
    quit: showing.quit,
  });

  const screen = openScreen(cli, optionsOf(first));
  // A signal from outside is no question: stop, save, give the terminal back.
  const ignore = stopOnSignals(cli, {
    quit: async (stop) => {
      await Promise.all(
        [...hosted].map((showing) =>
          stop === 'gone'
            ? showing.quit(onDisconnect(showing), 'quit: the terminal was closed')
            : showing.quit('pause'),
        ),
      );
      screen.close();
    },
  });
  try {
    const broken = await screen.gone;
    if (broken) {
      cli.note(`ralph-tui: the screen broke: ${safe(broken.message)}`);
      await Promise.all(
        [...hosted].map((showing) => showing.quit(onDisconnect(showing), 'quit: the screen broke')),
      );
    }
    const others = [...hosted].filter((showing) => showing !== shown);
    for (const other of others) cli.print((await other.close()).text);
    const ending = await shown.close();
    cli.print(ending.text);
    return broken ? exitCodes.failed : ending.exitCode;
  } finally {
    ignore();
  }
};

/** What shall become of a session whose screen is gone without a word: `on_disconnect`. */
const onDisconnect = (showing: Showing): QuitChoice => {
  const chosen = showing.store.getState().session?.settings.on_disconnect;
  return chosen === 'background' ? 'leave' : chosen === 'abort' ? 'abort' : 'pause';
};

/** The session a viewer shows, from now on hosted here. The viewer is closed only once the engine runs. */
const resumed = async (cli: Cli, world: World, viewer: Showing): Promise<Showing> => {
  const { showLive } = await import('./show-live.ts');
  const { resumeWish } = await import('./resume-wish.ts');
  if (viewer.paths === null) throw usage('there is no session to resume');
  return showLive(cli, world, resumeWish(cli, world, viewer.paths, { attended: true, takeOver: false }));
};
