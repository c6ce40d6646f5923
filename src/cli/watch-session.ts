import type { Event } from '../pipeline/event.ts';
import { type Cli, exitCodes, failure } from './cli.ts';
import { runningHost } from './ending-host.ts';
import type { OutputMode } from './hosting.ts';
import { followJournal, withOutput } from './journal-feed.ts';
import { type OpenSession, readSession } from './open-session.ts';
import type { Flags } from './options.ts';
import { createPlainLog } from './plain-log.ts';
import { readStopped } from './read-stopped.ts';
import { listen } from './screen-reader.ts';
import { watchHost } from './watch-host.ts';

/** Shows a session that another process runs, or that nobody runs any more; keys write signals as on the hosting screen. */
export const watchSession = async (
  cli: Cli,
  session: OpenSession,
  mode: OutputMode,
  flags: Flags = {},
): Promise<number> =>
  mode === 'screen' ? watchOnScreen(cli, session, flags) : watchInLines(cli, session, mode);

const watchOnScreen = async (cli: Cli, session: OpenSession, flags: Flags): Promise<number> => {
  const { runDeck } = await import('./deck.ts');
  const { showJournal } = await import('./show-journal.ts');
  return runDeck(cli, session.world, showJournal(cli, session, flags));
};

const watchInLines = (cli: Cli, session: OpenSession, mode: OutputMode): Promise<number> => {
  const { world, paths } = session;
  const plain = createPlainLog(cli.print);
  const show = (event: Event): void => (mode === 'json' ? cli.printJson(event) : plain(event));
  const runs = runningHost(world, paths, session.events) !== null;
  const end = runs ? -1 : endOf(session.events);
  const past = end < 0 ? session.events : session.events.slice(0, end + 1);
  for (const event of withOutput(world, paths, past)) show(event);
  if (!runs && mode === 'reader' && session.layout.ours) return readStopped(cli, session);
  if (!runs) {
    const last = session.events[end];
    if (!session.layout.ours) return Promise.resolve(exitCodes.done);
    if (last?.type === 'session.stopped') return Promise.resolve(last.exit_code);
    throw endedWithoutWord(session);
  }
  return new Promise((resolve, reject) => {
    const deaf =
      mode === 'reader' ? listen(cli, paths.session, { leave: () => finish(exitCodes.done) }) : () => {};
    const leave = (): void => finish(exitCodes.done);
    const release = (): void => {
      for (const name of signals) process.off(name, leave);
      deaf();
      stop();
      ignore();
    };
    const finish = (code: number): void => {
      release();
      resolve(code);
    };
    const stop = followJournal(world, paths, session, (event) => {
      show(event);
      if (event.type === 'session.stopped') over(() => finish(event.exit_code));
    });
    const ignore = watchHost(session, () =>
      over(() => {
        release();
        reject(endedWithoutWord(session));
      }),
    );
    // Who listens is told how it stands, and can go on from there.
    const over = (otherwise: () => void): void => {
      if (mode === 'reader') {
        release();
        resolve(readStopped(cli, readSession(world, paths)));
      } else otherwise();
    };
    for (const name of signals) process.once(name, leave);
  });
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const endedWithoutWord = ({ paths }: OpenSession): Error =>
  failure({
    code: 'not-running',
    what: `nobody runs session ${paths.session}: its program ended without a word`,
    mend: `\`ralph-tui resume ${paths.session}\` goes on with it`,
  });

/** The end of the newest run, or -1 when it has none: what follows it is bookkeeping. */
const endOf = (events: readonly Event[]): number => {
  const end = events.findLastIndex((event) => event.type === 'session.stopped');
  const start = events.findLastIndex((event) => event.type === 'session.started');
  return end > start ? end : -1;
};
