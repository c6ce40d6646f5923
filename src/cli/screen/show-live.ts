import { toFault } from '../../base/fault.ts';
import type { SessionEnd } from '../../engine/engine.ts';
import { readJournal } from '../../observability/journal-file.ts';
import { evolve } from '../../pipeline/evolve.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { createStore, type Store } from '../../store/create-store.ts';
import { createEditor } from '../../store/text/line-editor.ts';
import { type Cli, Exit, exitCodes, failure } from '../cli.ts';
import { startHost } from '../host/start-host.ts';
import { watchWaiting } from '../host/watch-waiting.ts';
import { type EngineRequest, wireEngine } from '../host/wire.ts';
import { goTo, inBackground, resumeWords, summary } from '../report/summary.ts';
import { withOutput } from '../session/journal-feed.ts';
import { lookIntoMailbox } from '../session/publish.ts';
import { noteOpened, noteSeen } from '../session/seen-file.ts';
import { rememberOwnText } from '../trust/trust-memory.ts';
import type { World } from '../world.ts';
import { createIntentPort } from './intent-port.ts';
import { showEnd, untilResume } from './show-end.ts';
import type { Ending, ShownSession } from './shown-session.ts';

/**
 * Starts a session's engine in this program and shows it. Throws, with nothing changed, when it did not start.
 * `givenUp` aborts the start.
 */
export const showLive = async (
  cli: Cli,
  world: World,
  request: EngineRequest,
  givenUp?: AbortSignal,
): Promise<ShownSession> => {
  const { paths } = request;
  const engine = wireEngine(cli, world, request);
  const store = createStore({
    clock: world.clock,
    evolve,
    cwd: cli.cwd,
    connection: 'live',
    canLeaveRunning: true,
    preferences: request.settings.ui,
  });
  // Earlier events are in the journal; the engine only emits new ones.
  if (request.begin.kind === 'resume')
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
  askToLift(world, paths, store);
  const ended = engine.settled();
  let leaving = false;
  void ended.then(() => {
    store.act({ type: 'connected', connection: 'stopped', canLeaveRunning: true, resumable: true });
    if (!leaving) showEnd(store);
  });
  const stopWatching = watchWaiting(world, paths, store);
  const port = createIntentPort(world, paths, () => store.getState().session, engine.wake, {
    hosted: engine,
    agree: (file, text) => rememberOwnText(cli.env, world, paths.workspace, file, text),
  });
  let end: SessionEnd | null = null;
  let background: Ending | null = null;
  return {
    paths,
    store,
    port: untilResume(port, store),
    hosted: true,
    flags: request.flags,
    quit: async (choice, reason = 'quit') => {
      leaving = true;
      if (choice === 'abort')
        await port
          .perform({ type: 'publish', signal: { type: 'ABORT', target: 'ALL' } })
          // The agents must stop even when the mailbox takes no signal, as on a full disk.
          .catch(() => engine.quit('quit: ABORT could not be written'));
      else await engine.quit(choice === 'leave' ? 'moved to the background' : reason);
      const { status } = await ended;
      if (choice === 'leave' && status === 'paused') background = await moved(cli, world, request);
    },
    close: async () => {
      stopWatching();
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
      return background ?? { exitCode: end.exitCode, text: summary(request, end, engine.state()) };
    },
  };
};

/** Asks whether a resumed session shall stay paused, unless its mailbox already contains a RESUME. */
const askToLift = (world: World, paths: SessionPaths, store: Store): void => {
  const { session, ui } = store.getState();
  if (session === null || session.hold === null || ui.overlays.length > 0) return;
  const lifts = lookIntoMailbox(world, paths)
    .list()
    .some(({ stage, signal }) => stage === 'pending' && signal?.type === 'RESUME');
  if (lifts) return;
  const overlay = { kind: 'confirm', subject: { kind: 'lift' }, editor: createEditor() } as const;
  store.act({ type: 'overlay-opened', overlay });
};

/** Moves the session to a background host. If that fails, the session stays paused and the text says how to resume it. */
const moved = async (cli: Cli, world: World, request: EngineRequest): Promise<Ending> => {
  const { paths } = request;
  const { session, workspace } = paths;
  try {
    const pid = await startHost(cli, world, request);
    return { exitCode: exitCodes.done, text: inBackground(paths, pid) };
  } catch (error) {
    const { what } = error instanceof Exit ? error.fault : toFault(error);
    return {
      exitCode: exitCodes.paused,
      text: `Session ${session} is paused: ${what}\n  go on    ${goTo(workspace)} && ${resumeWords(request)}`,
    };
  }
};
