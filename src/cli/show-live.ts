import type { SessionEnd } from '../engine/engine.ts';
import { readJournal } from '../observability/journal-file.ts';
import { evolve } from '../pipeline/evolve.ts';
import { createStore } from '../store/create-store.ts';
import { type Cli, failure } from './cli.ts';
import { createIntentPort } from './intent-port.ts';
import { withOutput } from './journal-feed.ts';
import { noteSeen } from './seen-file.ts';
import { showEnd, untilResume } from './show-end.ts';
import type { Showing } from './showing.ts';
import { summary } from './summary.ts';
import { type EngineWish, wireEngine } from './wire.ts';
import type { World } from './world.ts';

/** Starts a session's engine in this program and shows it. Throws where it did not start: then nothing was changed. */
export const showLive = async (cli: Cli, world: World, wish: EngineWish): Promise<Showing> => {
  const { paths } = wish;
  const engine = wireEngine(cli, world, wish);
  const store = createStore({ clock: world.clock, evolve, connection: 'live' });
  // What happened before this start stands in the journal; the engine only tells what is new.
  if (wish.begin.kind === 'resume')
    store.load(withOutput(world, paths, readJournal(world.disk, paths.journal).events));
  const release = engine.subscribe((event) => store.dispatch(event));
  const fault = await engine.start();
  if (fault) {
    release();
    throw failure(fault);
  }
  const ended = engine.settled();
  let leaving = false;
  void ended.then(() => {
    store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
    if (!leaving) showEnd(store);
  });
  const port = createIntentPort(world, paths, () => store.getState().session, engine.wake);
  let end: SessionEnd | null = null;
  return {
    paths,
    store,
    ascii: wish.settings.ui.ascii,
    port: untilResume(port, store),
    hosted: true,
    quit: async (choice) => {
      leaving = true;
      if (choice !== 'abort') return engine.quit('quit');
      await port.perform({ type: 'publish', signal: { type: 'ABORT', target: 'ALL' } });
      await ended;
    },
    close: async () => {
      if (end === null) {
        await engine.quit('quit');
        end = await ended;
        release();
        const { seq } = engine.state();
        noteSeen(cli, world, paths.directory, {
          seq,
          workspace: paths.workspace,
          at: new Date(world.clock.now()).toISOString(),
        });
      }
      return { exitCode: end.exitCode, text: summary(wish, end, engine.state()) };
    },
  };
};
