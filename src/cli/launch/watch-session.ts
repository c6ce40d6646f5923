import type { Event } from '../../pipeline/event.ts';
import { type Cli, exitCodes, failure } from '../cli.ts';
import { runningHost } from '../host/ending-host.ts';
import { watchHost } from '../host/watch-host.ts';
import type { Flags } from '../options.ts';
import type { OutputMode } from '../output-mode.ts';
import { createPlainLog } from '../plain/plain-log.ts';
import { listen } from '../plain/screen-reader.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import { followJournal, withOutput } from '../session/journal-feed.ts';
import { type OpenJournal, readJournalOf } from '../session/open-session.ts';
import { readStopped } from './read-stopped.ts';

/** Shows a session that another process runs, or that is stopped. Keys write signals as on the hosting screen. */
export const watchSession = async (
  cli: Cli,
  session: OpenJournal,
  mode: OutputMode,
  flags: Flags = {},
): Promise<number> =>
  mode === 'screen' ? watchOnScreen(cli, session, flags) : watchInLines(cli, session, mode);

const watchOnScreen = async (cli: Cli, session: OpenJournal, flags: Flags): Promise<number> => {
  const { showSessions } = await import('../screen/show-sessions.ts');
  const { showJournal } = await import('../screen/show-journal.ts');
  return showSessions(cli, session.world, showJournal(cli, session, flags));
};

const watchInLines = (cli: Cli, session: OpenJournal, mode: OutputMode): Promise<number> => {
  const { world, paths } = session;
  const plain = createPlainLog(cli.print, { hasPrompt: mode === 'reader' });
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
    const stopListening =
      mode === 'reader' ? listen(cli, paths, { leave: () => finish(exitCodes.done) }) : () => {};
    const ignoreSignals = onProcessSignals(endSignals, () => finish(exitCodes.done));
    const release = (): void => {
      ignoreSignals();
      stopListening();
      stop();
      stopWatching();
    };
    const finish = (code: number): void => {
      release();
      resolve(code);
    };
    const stop = followJournal(world, paths, session, (event) => {
      show(event);
      if (event.type === 'session.stopped') over(() => finish(event.exit_code));
    });
    const stopWatching = watchHost(session, () =>
      over(() => {
        release();
        reject(endedWithoutWord(session));
      }),
    );
    // The screen reader shows the status of the stopped session and can resume it there.
    const over = (otherwise: () => void): void => {
      if (mode === 'reader') {
        release();
        resolve(readStopped(cli, readJournalOf(world, paths)));
      } else otherwise();
    };
  });
};

const endedWithoutWord = ({ paths }: OpenJournal): Error =>
  failure({
    code: 'not-running',
    what: `no process is running session ${paths.session}: its host ended without recording why`,
    hint: `\`ralph-tui resume ${paths.session}\` continues it`,
  });

/** Index of the end of the newest run, or -1. Events after it are bookkeeping. */
const endOf = (events: readonly Event[]): number => {
  const end = events.findLastIndex((event) => event.type === 'session.stopped');
  const start = events.findLastIndex((event) => event.type === 'session.started');
  return end > start ? end : -1;
};
