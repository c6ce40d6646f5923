import { evolve } from '../pipeline/evolve.ts';
import type { SessionPaths } from '../session/paths.ts';
import { createStore } from '../store/create-store.ts';
import { selectMissed } from '../store/select-missed.ts';
import { selectSummary } from '../store/select-summary.ts';
import type { ViewState } from '../store/view.ts';
import { type Cli, exitCodes } from './cli.ts';
import { runningHost } from './ending-host.ts';
import { createIntentPort } from './intent-port.ts';
import { followJournal, withOutput } from './journal-feed.ts';
import type { OpenSession } from './open-session.ts';
import type { Flags } from './options.ts';
import { readPreferences } from './read-preferences.ts';
import { noteOpened, noteSeen, readSeen } from './seen-file.ts';
import { showEnd, untilResume } from './show-end.ts';
import type { Showing } from './showing.ts';
import { goTo } from './summary.ts';
import { watchHost } from './watch-host.ts';
import { watchWaiting } from './watch-waiting.ts';

/** Shows a session that another process runs, or that nobody runs any more; keys write signals as on the hosting screen. */
export const showJournal = (cli: Cli, session: OpenSession, flags: Flags = {}): Showing => {
  const { world, paths } = session;
  const alive = runningHost(world, paths, session.events) !== null;
  const store = createStore({
    clock: world.clock,
    evolve,
    connection: alive ? 'attached' : 'stopped',
    canLeaveRunning: true,
    preferences: readPreferences(cli, world, paths.workspace, { paths, settings: session.state.settings }),
  });
  store.load(withOutput(world, paths, session.events));
  const connected = (connection: 'attached' | 'stopped'): void =>
    store.act({ type: 'connected', connection, canLeaveRunning: true, resumable: session.layout.ours });
  connected(alive ? 'attached' : 'stopped');
  sayMissed(cli, session, store);
  noteOpened(cli, world, paths);
  if (session.state.state === 'COMPLETE') showEnd(store);
  const stop = followJournal(world, paths, session, (event) => {
    store.dispatch(event);
    if (event.type === 'session.started') connected('attached');
    if (event.type !== 'session.stopped') return;
    connected('stopped');
    showEnd(store);
  });
  const ignore = watchHost(session, () => connected('stopped'));
  const blind = session.layout.ours ? watchWaiting(world, paths, store) : (): void => {};
  const port = createIntentPort(
    world,
    paths,
    () => store.getState().session,
    () => {},
  );
  return {
    paths,
    store,
    port: untilResume(port, store),
    hosted: false,
    flags,
    // The engine lives elsewhere: leaving the screen changes nothing there, and to pause or abort it takes a signal as ever.
    quit: async (choice) => {
      const type = choice === 'abort' ? 'ABORT' : choice === 'pause' ? 'PAUSE' : null;
      if (type !== null) await port.perform({ type: 'publish', signal: { type, target: 'ALL' } });
    },
    close: async () => {
      stop();
      ignore();
      blind();
      const seq = store.getState().session?.seq ?? 0;
      const at = new Date(world.clock.now()).toISOString();
      noteSeen(cli, world, paths.directory, { seq, workspace: paths.workspace, at });
      return { exitCode: exitCodes.done, text: leftAlone(store.getState(), paths) };
    },
  };
};

/** What is said of a session that lives, or lies, without this screen. */
const leftAlone = (view: ViewState, { session, workspace }: SessionPaths): string => {
  if (view.connection === 'attached')
    return `Session ${session} goes on without this screen\n  watch    ${goTo(workspace)} && ralph-tui attach ${session}`;
  if (view.session?.state !== 'COMPLETE')
    return `Session ${session} does not run\n  go on    ${goTo(workspace)} && ralph-tui resume ${session}`;
  return [
    `Session ${session}: ${view.session.stopReason ?? view.session.status}`,
    ...selectSummary(view).slice(0, 1),
  ].join('; ');
};

/** What happened since a screen of this person last showed the session, said until the next key. */
const sayMissed = (cli: Cli, { world, paths, events }: OpenSession, store: Showing['store']): void => {
  const seen = readSeen(cli, world)[paths.directory];
  const text = seen && seen.seq !== null ? selectMissed(store.getState(), events, seen.seq) : null;
  if (text !== null) store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
};
