import type { Engine, SessionEnd } from '../engine/engine.ts';
import { readJournal } from '../observability/journal-file.ts';
import { evolve } from '../pipeline/evolve.ts';
import { createStore } from '../store/create-store.ts';
import { type Cli, exitCodes, failure } from './cli.ts';
import { host, type OutputMode, stopOnSignals } from './hosting.ts';
import { withOutput } from './journal-feed.ts';
import { statusText } from './plain-log.ts';
import { type EngineWish, wireEngine } from './wire.ts';
import type { World } from './world.ts';

/** Runs a session in this program, shown in `mode`; gives the exit code when everything is on disk. */
export const runSession = async (
  cli: Cli,
  world: World,
  wish: EngineWish,
  mode: OutputMode,
): Promise<number> => {
  const engine = wireEngine(cli, world, wish);
  if (mode === 'screen') return runOnScreen(cli, world, wish, engine);
  const end = await host(cli, engine, mode);
  if (mode === 'plain') cli.print(summary(wish, end));
  return end.exitCode;
};

const runOnScreen = async (cli: Cli, world: World, wish: EngineWish, engine: Engine): Promise<number> => {
  const { openScreen } = await import('./screen.tsx');
  const { createIntentPort } = await import('./intent-port.ts');
  const store = createStore({ clock: world.clock, evolve, connection: 'live' });
  // What happened before this start stands in the journal; the engine only tells what is new.
  if (wish.begin.kind === 'resume')
    store.load(withOutput(world, wish.paths, readJournal(world.disk, wish.paths.journal).events));
  const release = engine.subscribe((event) => store.dispatch(event));
  const fault = await engine.start();
  if (fault) {
    release();
    throw failure(fault);
  }
  const ended = engine.settled();
  const port = createIntentPort(world, wish.paths, () => store.getState().session, engine.wake);
  const screen = openScreen(cli, {
    store,
    clock: world.clock,
    ascii: wish.settings.ui.ascii,
    port,
    quit: async (choice) => {
      if (choice !== 'abort') return engine.quit('quit');
      await port.perform({ type: 'publish', signal: { type: 'ABORT', target: 'ALL' } });
      await ended;
    },
  });
  void ended.then(() => store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true }));
  // A signal from outside is no question: stop, save, give the terminal back.
  const ignore = stopOnSignals(cli, { quit: (reason) => engine.quit(reason).finally(screen.close) });
  try {
    await screen.gone;
    // However the screen went, no engine stays behind unseen.
    await engine.quit('quit');
    const end = await ended;
    cli.print(summary(wish, end));
    return end.exitCode;
  } finally {
    ignore();
    release();
  }
};

/** What stays on the normal screen: how it ended, where it lies, and how to go on. */
const summary = (wish: EngineWish, end: SessionEnd): string => {
  const { session, directory, workspace } = wish.paths;
  const lines = [`Session ${session}: ${statusText(end.status, end.reason)}`, `  files    ${directory}`];
  if (end.unverified.length > 0)
    lines.push(`  could not verify that these processes are gone: pids ${end.unverified.join(', ')}`);
  if (end.exitCode === exitCodes.paused || end.exitCode === exitCodes.waits)
    lines.push(`  go on    cd ${workspace} && ralph-tui resume ${session}`);
  return lines.join('\n');
};
