import type { Event } from '../pipeline/event.ts';
import { evolve } from '../pipeline/evolve.ts';
import { createStore } from '../store/create-store.ts';
import { type Cli, exitCodes, failure } from './cli.ts';
import type { OutputMode } from './hosting.ts';
import { followJournal, withOutput } from './journal-feed.ts';
import { hostOf, type OpenSession } from './open-session.ts';
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
  const connected = (connection: 'attached' | 'stopped'): void =>
    store.act({ type: 'connected', connection, canLeaveRunning: true });
  const stop = followJournal(world, paths, session, (event) => {
    store.dispatch(event);
    if (event.type === 'session.started') connected('attached');
    if (event.type === 'session.stopped') connected('stopped');
  });
  const ignore = watchHost(session, () => connected('stopped'));
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
    // The engine lives elsewhere: leaving the screen changes nothing there, and to pause or abort it takes a signal as ever.
    quit: async (choice) => {
      const type = choice === 'abort' ? 'ABORT' : choice === 'pause' ? 'PAUSE' : null;
      if (type !== null) await port.perform({ type: 'publish', signal: { type, target: 'ALL' } });
    },
  });
  const close = (): void => screen.close();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, close);
  await screen.gone;
  stop();
  ignore();
  cli.print(
    store.getState().connection === 'attached'
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
    throw endedWithoutWord(session);
  }
  return new Promise((resolve, reject) => {
    const release = (): void => {
      stop();
      ignore();
    };
    const finish = (code: number): void => {
      release();
      resolve(code);
    };
    const stop = followJournal(world, paths, session, (event) => {
      show(event);
      if (event.type === 'session.stopped') finish(event.exit_code);
    });
    const ignore = watchHost(session, () => {
      release();
      reject(endedWithoutWord(session));
    });
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(name, () => finish(exitCodes.done));
  });
};

const endedWithoutWord = ({ paths }: OpenSession): Error =>
  failure({
    code: 'not-running',
    what: `nobody runs session ${paths.session}: its program ended without a word`,
    mend: `\`ralph-tui resume ${paths.session}\` goes on with it`,
  });

const hostPollMs = 1_000;

/**
 * A program that was killed writes no last event: only its lock tells. `gone` is called when it is seen dead twice in a row, so
 * that the journal's own last word is read before. The answer stops it.
 */
const watchHost = ({ world, paths, host }: OpenSession, gone: () => void): (() => void) => {
  let dead = host?.alive === true ? 0 : 2;
  const look = (): void => {
    dead = hostOf(world, paths)?.alive === true ? 0 : dead + 1;
    cancel = world.clock.after(hostPollMs, look);
    if (dead === 2) gone();
  };
  let cancel = world.clock.after(hostPollMs, look);
  return () => cancel();
};

/** The end of the newest run, or -1 when it has none: what follows it is bookkeeping. */
const endOf = (events: readonly Event[]): number => {
  const end = events.findLastIndex((event) => event.type === 'session.stopped');
  const start = events.findLastIndex((event) => event.type === 'session.started');
  return end > start ? end : -1;
};
