import type { Event } from '../pipeline/event.ts';
import { evolve } from '../pipeline/evolve.ts';
import { createStore } from '../store/create-store.ts';
import { type Cli, exitCodes, failure } from './cli.ts';
import type { OutputMode } from './hosting.ts';
import { followJournal, withOutput } from './journal-feed.ts';
import type { OpenSession } from './open-session.ts';
import { createPlainLog } from './plain-log.ts';

/** Shows a session that another process runs, or that nobody runs any more; keys write signals as on the hosting screen. */
export const watchSession = async (cli: Cli, session: OpenSession, mode: OutputMode): Promise<number> =>
  mode === 'screen' ? watchOnScreen(cli, session) : watchInLines(cli, session, mode);

const watchOnScreen = async (cli: Cli, session: OpenSession): Promise<number> => {
  const { openScreen } = await import('./screen.tsx');
  const { createIntentPort } = await import('./intent-port.ts');
  const { world, paths } = session;
  const alive = session.host?.alive === true;
  const store = createStore({
    clock: world.clock,
    evolve,
    connection: alive ? 'attached' : 'stopped',
    canLeaveRunning: true,
  });
  store.load(withOutput(world, paths, session.events));
  const stop = followJournal(world, paths, session, (event) => {
    store.dispatch(event);
    if (event.type === 'session.started' || event.type === 'session.stopped')
      store.act({
        type: 'connected',
        connection: event.type === 'session.started' ? 'attached' : 'stopped',
        canLeaveRunning: true,
      });
  });
  const port = createIntentPort(
    world,
    paths,
    () => store.getState().session,
    () => {},
  );
  const screen = openScreen(cli, {
    store,
    clock: world.clock,
    ascii: session.state.settings.ui.ascii,
    port,
    // The engine lives elsewhere: leaving the screen changes nothing there, and an abort is a signal like any other.
    quit: async (choice) => {
      if (choice === 'abort')
        await port.perform({ type: 'publish', signal: { type: 'ABORT', target: 'ALL' } });
    },
  });
  const close = (): void => screen.close();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, close);
  await screen.gone;
  stop();
  cli.print(
    alive
      ? `Session ${paths.session} goes on without this screen; \`ralph-tui attach ${paths.session}\` shows it again.`
      : `Session ${paths.session} does not run; \`ralph-tui resume ${paths.session}\` goes on with it.`,
  );
  return exitCodes.done;
};

const watchInLines = (cli: Cli, session: OpenSession, mode: OutputMode): Promise<number> => {
  const { world, paths } = session;
  const plain = createPlainLog(cli.print);
  const show = (event: Event): void => (mode === 'json' ? cli.printJson(event) : plain(event));
  const end = session.host?.alive ? -1 : endOf(session.events);
  const past = end < 0 ? session.events : session.events.slice(0, end + 1);
  for (const event of withOutput(world, paths, past)) show(event);
  if (!session.host?.alive) {
    const last = session.events[end];
    if (!session.layout.ours) return Promise.resolve(exitCodes.done);
    if (last?.type === 'session.stopped') return Promise.resolve(last.exit_code);
    throw failure({
      code: 'not-running',
      what: `nobody runs session ${paths.session}: its program ended without a word`,
      mend: `\`ralph-tui resume ${paths.session}\` goes on with it`,
    });
  }
  return new Promise((resolve) => {
    const finish = (code: number): void => {
      stop();
      resolve(code);
    };
    const stop = followJournal(world, paths, session, (event) => {
      show(event);
      if (event.type === 'session.stopped') finish(event.exit_code);
    });
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(name, () => finish(exitCodes.done));
  });
};

/** The end of the newest run, or -1 when it has none: what follows it is bookkeeping. */
const endOf = (events: readonly Event[]): number => {
  const end = events.findLastIndex((event) => event.type === 'session.stopped');
  const start = events.findLastIndex((event) => event.type === 'session.started');
  return end > start ? end : -1;
};
