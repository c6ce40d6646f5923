import type { Store } from '../store/create-store.ts';
import { type Cli, failure } from './cli.ts';
import { untilEnded } from './ending-host.ts';
import { hostApart } from './host-apart.ts';
import { readSession } from './open-session.ts';
import { showJournal } from './show-journal.ts';
import { showLive } from './show-live.ts';
import type { Showing } from './showing.ts';
import type { EngineWish } from './wire.ts';
import type { World } from './world.ts';

/**
 * A session that is hosted here, or (`host: background`) in a process of its own that this screen attaches to. It may take seconds until what a
 * crash left is cleared away; `leaving`: the screen went meanwhile, and nothing is begun any more.
 */
export const beginSession = async (
  cli: Cli,
  world: World,
  wish: EngineWish,
  tell: (sentence: string) => void,
  leaving: AbortSignal,
): Promise<Showing> => {
  await untilEnded(world, wish, tell, leaving);
  if (leaving.aborted) throw failure({ code: 'left', what: 'the screen was left' });
  if (wish.settings.host !== 'background') return showLive(cli, world, wish, leaving);
  await hostApart(cli, world, wish);
  return showJournal(cli, readSession(world, wish.paths), wish.flags);
};

/** Resolves when no more is open over the screen than `depth`, so that nobody writes or decides there; at once when the screen goes. */
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
