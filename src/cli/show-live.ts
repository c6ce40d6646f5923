import { toFault } from '../base/fault.ts';
import type { SessionEnd } from '../engine/engine.ts';
import { readJournal } from '../observability/journal-file.ts';
import { evolve } from '../pipeline/evolve.ts';
import { createStore } from '../store/create-store.ts';
import { type Cli, Exit, exitCodes, failure } from './cli.ts';
import { createIntentPort } from './intent-port.ts';
import { withOutput } from './journal-feed.ts';
import { noteOpened, noteSeen } from './seen-file.ts';
import { showEnd, untilResume } from './show-end.ts';
import type { Ending, Showing } from './showing.ts';
import { startHost } from './start-host.ts';
import { goTo, inBackground, resumeWords, summary } from './summary.ts';
import { watchWaiting } from './watch-waiting.ts';
import { type EngineWish, wireEngine } from './wire.ts';
import type { World } from './world.ts';

/** Starts a session's engine in this program and shows it. Throws where it did not start: then nothing was changed. `givenUp`: nobody waits for it any more. */
export const showLive = async (
  cli: Cli,
  world: World,
  wish: EngineWish,
  givenUp?: AbortSignal,
): Promise<Showing> => {
  const { paths } = wish;
  const engine = wireEngine(cli, world, wish);
  const store = createStore({
    clock: world.clock,
    evolve,
    connection: 'live',
    canLeaveRunning: true,
    preferences: wish.settings.ui,
  });
  // What happened before this start stands in the journal; the engine only tells what is new.
  if (wish.begin.kind === 'resume')
    store.load(withOutput(world, paths, readJournal(world.disk, paths.journal).events));
  const release = engine.subscribe((event) => store.dispatch(event));
  const giveUp = (): void => void engine.quit('quit');
  givenUp?.addEventListener('abort', giveUp);
  const fault = await engine.start();
  givenUp?.removeEventListener('abort', giveUp);
  if (fault) {
    release();
    throw failure(fault);
  }
  noteOpened(cli, world, paths);
  const ended = engine.settled();
  let leaving = false;
  void ended.then(() => {
    store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
    if (!leaving) showEnd(store);
  });
  const blind = watchWaiting(world, paths, store);
  const port = createIntentPort(world, paths, () => store.getState().session, engine.wake);
  let end: SessionEnd | null = null;
  let background: Ending | null = null;
  return {
    paths,
    store,
    port: untilResume(port, store),
    hosted: true,
    flags: wish.flags,
    quit: async (choice, reason = 'quit') => {
      leaving = true;
      if (choice === 'abort')
        await port
          .perform({ type: 'publish', signal: { type: 'ABORT', target: 'ALL' } })
          // A mailbox that takes no signal, on a full disk above all, must not keep the agents running.
          .catch(() => engine.quit('quit: ABORT could not be written'));
      else await engine.quit(choice === 'leave' ? 'moved to the background' : reason);
      const { status } = await ended;
      if (choice === 'leave' && status === 'paused') background = await moved(cli, world, wish);
    },
    close: async () => {
      blind();
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
      return background ?? { exitCode: end.exitCode, text: summary(wish, end, engine.state()) };
    },
  };
};

/** The session goes on in a process of its own; where that fails it stays paused, and the sentence says how to go on. */
const moved = async (cli: Cli, world: World, wish: EngineWish): Promise<Ending> => {
  const { paths } = wish;
  const { session, workspace } = paths;
  try {
    const pid = await startHost(cli, world, wish);
    return { exitCode: exitCodes.done, text: inBackground(paths, pid) };
  } catch (error) {
    const { what } = error instanceof Exit ? error.fault : toFault(error);
    return {
      exitCode: exitCodes.paused,
      text: `Session ${session} is paused: ${what}\n  go on    ${goTo(workspace)} && ${resumeWords(wish)}`,
    };
  }
};
