import { createStore } from '../../../components/create-store.ts';
import { selectSummary } from '../../../components/end/select-summary.ts';
import { selectMissed } from '../../../components/frame/select-missed.ts';
import type { ViewState } from '../../../components/view.ts';
import { evolve } from '../../pipeline/evolve.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { isComplete } from '../../session/status.ts';
import { type Cli, exitCodes } from '../cli.ts';
import { runningHost } from '../host/ending-host.ts';
import { watchHost } from '../host/watch-host.ts';
import { watchWaiting } from '../host/watch-waiting.ts';
import type { Flags } from '../options.ts';
import { continueLine, goTo } from '../report/summary.ts';
import { sayShown } from '../session/answers/send-answer.ts';
import { followJournal, withOutput } from '../session/journal-feed.ts';
import type { OpenJournal } from '../session/open-session.ts';
import { noteOpened, noteSeen, readSeen } from '../session/seen-file.ts';
import { rememberOwnText } from '../trust/trust-memory.ts';
import { createIntentPort } from './intent-port.ts';
import { readPreferences } from './read-preferences.ts';
import type { ShownSession } from './shown-session.ts';
import { untilResume } from './until-resume.ts';

/** Shows a session that another process runs, or that is stopped. Keys write signals as on the hosting screen. */
export const showJournal = (cli: Cli, session: OpenJournal, flags: Flags = {}): ShownSession => {
  const { world, paths } = session;
  const alive = runningHost(world, paths, session.events) !== null;
  const store = createStore({
    clock: world.clock,
    evolve,
    cwd: cli.cwd,
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
  if (isComplete(session.state)) store.act({ type: 'end-shown' });
  const stop = followJournal(world, paths, session, (event) => {
    store.dispatch(event);
    if (event.type === 'session.started') connected('attached');
    if (event.type !== 'session.stopped') return;
    connected('stopped');
    store.act({ type: 'end-shown' });
  });
  const release = watchHost(session, () => connected('stopped'));
  const stopWatching = session.layout.ours ? watchWaiting(world, paths, store) : (): void => {};
  const unsay = session.layout.ours ? sayShown(cli.env, world, paths) : (): void => {};
  const port = createIntentPort(
    world,
    paths,
    () => store.getState().session,
    () => {},
    { env: cli.env, agree: (file, text) => rememberOwnText(cli.env, world, paths.workspace, file, text) },
  );
  return {
    paths,
    store,
    port: untilResume(port, store),
    hosted: false,
    flags,
    // The engine runs in another process, so leaving the screen changes nothing. Pausing or aborting takes a
    // signal as usual.
    quit: async (choice) => {
      const type = choice === 'abort' ? 'ABORT' : choice === 'pause' ? 'PAUSE' : null;
      if (type !== null) await port.perform({ type: 'publish', signal: { type, target: 'ALL' } });
    },
    close: async () => {
      stop();
      release();
      stopWatching();
      unsay();
      const seq = store.getState().session?.seq ?? 0;
      const at = new Date(world.clock.now()).toISOString();
      noteSeen(cli, world, paths.directory, { seq, workspace: paths.workspace, at });
      return { exitCode: exitCodes.done, text: leftAlone(store.getState(), paths) };
    },
  };
};

/** The summary of a session that this screen did not host. */
const leftAlone = (view: ViewState, paths: SessionPaths): string => {
  const { session, workspace } = paths;
  if (view.connection === 'attached')
    return `Session ${session} continues without this screen\n  watch    ${goTo(workspace)} && ralph-tui attach ${session}`;
  if (!view.session || !isComplete(view.session))
    return `Session ${session} is not running\n${continueLine({ paths, flags: {} }, view.session)}`;
  return [
    `Session ${session}: ${view.session.stopReason ?? view.session.status}`,
    ...selectSummary(view).slice(0, 1),
  ].join('; ');
};

/** Reports events since a screen of this person last showed the session. The notice stays until the next key. */
const sayMissed = (cli: Cli, { world, paths, events }: OpenJournal, store: ShownSession['store']): void => {
  const seen = readSeen(cli, world)[paths.directory];
  const text = seen && seen.seq !== null ? selectMissed(store.getState(), events, seen.seq) : null;
  if (text !== null) store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
};
