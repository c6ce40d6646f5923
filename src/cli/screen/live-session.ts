import { createStore, type Store } from '../../../components/create-store.ts';
import { createEditor } from '../../../components/keys/line-editor.ts';
import type { QuitChoice } from '../../../components/ports/intent.ts';
import { toFault } from '../../base/fault.ts';
import { discardDirectory } from '../../base/temporary-file.ts';
import type { Engine, SessionEnd } from '../../engine/engine.ts';
import { readJournal } from '../../observability/journal-file.ts';
import { foldJournal } from '../../observability/state-cache.ts';
import { evolve } from '../../pipeline/evolve.ts';
import { initialState } from '../../pipeline/initial.ts';
import type { SessionState } from '../../pipeline/state.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { type Cli, exitCodes, failure, refusedStart } from '../cli.ts';
import { eventsWithoutSecrets } from '../events-without-secrets.ts';
import { watchWaiting } from '../host/watch-waiting.ts';
import { type EngineRequest, wireEngine } from '../host/wire.ts';
import { continueLine, inBackground, summary } from '../report/summary.ts';
import { changedIn } from '../session/changes/changed-in.ts';
import { withOutput } from '../session/journal-feed.ts';
import type { OpenJournal } from '../session/open-session.ts';
import { lookIntoMailbox } from '../session/publish.ts';
import { noteOpened, noteSeen } from '../session/seen-file.ts';
import { rememberOwnText } from '../trust/trust-memory.ts';
import type { World } from '../world.ts';
import { createIntentPort } from './intent-port.ts';
import type { SessionPort } from './screen.tsx';
import type { Ending, ShownSession } from './shown-session.ts';
import { untilResume } from './until-resume.ts';

/** A session that this program hosts. It can be drawn before its engine starts. */
interface LiveSession extends ShownSession {
  /** Starts the engine. Throws, with nothing changed, when it did not start. `givenUp` aborts the start. */
  readonly start: (givenUp: AbortSignal) => Promise<void>;
}

/** The part of a journal that was read already. */
export type KnownJournal = Pick<OpenJournal, 'events' | 'offset'>;

interface Live {
  readonly cli: Cli;
  readonly world: World;
  readonly request: EngineRequest;
  readonly engine: Engine;
  readonly store: Store;
  readonly port: SessionPort;
  /** Bytes of the journal that the store knows. */
  readonly offset: number;
  stage: 'waiting' | 'started' | 'refused';
  leaving: boolean;
  /** Resolves when the engine has stopped, or when it did not start. */
  ended: Promise<SessionEnd | null>;
  end: SessionEnd | null;
  /** The person left it running. */
  isLeft: boolean;
  release: () => void;
  /** Says to the engine that this screen is gone. */
  readonly gone: () => void;
}

/** Wires a session's engine for this screen. Earlier events come from the journal; the engine only emits new ones. */
export const openLive = (
  cli: Cli,
  world: World,
  request: EngineRequest,
  known: KnownJournal = { events: [], offset: 0 },
): LiveSession => {
  const { paths, flags } = request;
  const engine = wireEngine(cli, world, request);
  const store = createStore({
    clock: world.clock,
    evolve,
    cwd: cli.cwd,
    connection: 'stopped',
    opening: true,
    planned: plannedBy(world, request),
    canLeaveRunning: cli.launcher !== null,
    preferences: request.settings.ui,
  });
  if (known.events.length > 0) store.load(withOutput(world, paths, known.events));
  const port = createIntentPort(world, paths, () => store.getState().session, engine.wake, {
    env: cli.env,
    hosted: engine,
    tell: store.dispatch,
    agree: (file, text) => rememberOwnText(cli.env, world, paths.workspace, file, text),
  });
  const live: Live = {
    ...{ cli, world, request, engine, store, port, offset: known.offset },
    stage: 'waiting',
    leaving: false,
    ended: Promise.resolve(null),
    end: null,
    isLeft: false,
    release: () => {},
    gone: engine.shown(),
  };
  return {
    paths,
    store,
    port: untilResume(port, store),
    hosted: true,
    flags,
    start: (givenUp) => start(live, givenUp),
    quit: (choice, reason = 'quit') => quit(live, choice, reason),
    close: () => close(live),
  };
};

/** The session that a plan will make, for the frames before its engine starts. */
const plannedBy = ({ redact }: World, { plan, settings }: EngineRequest): SessionState | null =>
  plan === undefined
    ? null
    : eventsWithoutSecrets(redact, [
        { seq: 0, at: '', type: 'tasks.defined', tasks: [...plan.tasks] },
      ]).events.reduce(evolve, { ...initialState(), goal: redact(plan.goal), settings });

const start = async (live: Live, givenUp: AbortSignal): Promise<void> => {
  const { cli, world, request, engine, store } = live;
  const { paths } = request;
  if (live.leaving || givenUp.aborted) throw failure({ code: 'left', what: 'the screen was closed' });
  if (request.begin.kind === 'resume')
    store.load(withOutput(world, paths, readJournal(world.disk, paths.journal, live.offset).events));
  const stopListening = engine.subscribe((event) => {
    store.dispatch(event);
    if (event.type === 'session.started') connected(live, 'live');
  });
  const giveUp = (): void => {
    if (!live.isLeft) void engine.quit('quit');
  };
  givenUp.addEventListener('abort', giveUp);
  live.stage = 'started';
  const starting = engine.start().catch((error: unknown) => toFault(error));
  live.ended = starting.then((fault) => (fault ? null : engine.settled()));
  const fault = await starting;
  givenUp.removeEventListener('abort', giveUp);
  if (fault) {
    live.stage = 'refused';
    stopListening();
    throw refusedStart(fault);
  }
  noteOpened(cli, world, paths);
  askToLift(world, paths, store);
  const stopWatching = watchWaiting(world, paths, store);
  live.release = () => {
    stopWatching();
    stopListening();
  };
  void live.ended.then(() => {
    live.isLeft = false;
    connected(live, 'stopped');
    if (!live.leaving) store.act({ type: 'end-shown' });
  });
};

const connected = ({ cli, store }: Live, connection: 'live' | 'stopped'): void =>
  store.act({
    type: 'connected',
    connection,
    canLeaveRunning: cli.launcher !== null,
    resumable: connection === 'stopped',
  });

const quit = async (live: Live, choice: QuitChoice, reason: string): Promise<void> => {
  const { cli, engine, port } = live;
  live.leaving = true;
  if (live.stage !== 'started') return;
  // Nothing stops: only the terminal goes, once the screen has closed.
  live.isLeft = choice === 'leave' && cli.launcher !== null;
  if (live.isLeft) return;
  if (choice === 'abort')
    await port
      .perform({ type: 'publish', signal: { type: 'ABORT', target: 'ALL' } })
      // The agents must stop even when the mailbox takes no signal, as on a full disk.
      .catch(() => engine.quit('quit: ABORT could not be written'));
  else await engine.quit(reason);
  await live.ended;
};

const close = async (live: Live): Promise<Ending> => {
  const { cli, world, request, engine } = live;
  const { paths } = request;
  if (live.stage !== 'started') return notStarted(live);
  if (live.end === null) {
    if (!live.isLeft) await engine.quit('quit');
    if (!live.isLeft) live.end = await live.ended;
    live.release();
    const at = new Date(world.clock.now()).toISOString();
    noteSeen(cli, world, paths.directory, { seq: engine.state().seq, workspace: paths.workspace, at });
  }
  if (live.isLeft) return left(live);
  if (live.end === null) return notStarted(live);
  const text = summary(request, live.end, engine.state(), await changedIn(cli, world, paths, engine.state()));
  return { exitCode: live.end.exitCode, text };
};

/** The screen closed before the engine started. */
const notStarted = ({ world, request }: Live): Ending => {
  const { begin, paths } = request;
  if (begin.kind === 'resume')
    return {
      exitCode: exitCodes.paused,
      text: `Session ${paths.session} is not running\n${continueLine(request, foldJournal(world.disk, paths).state)}`,
    };
  discardDirectory(world.disk, paths.directory);
  return { exitCode: exitCodes.done, text: 'Nothing was started.' };
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

/** The session continues as it is: the same process, the same agents. */
const left = ({ request: { paths }, engine, ended, gone }: Live): Ending => {
  gone();
  return {
    exitCode: exitCodes.done,
    text: inBackground(paths, process.pid),
    staying: {
      paths,
      quit: () => engine.quit('quit'),
      ended: ended.then((end) => end?.exitCode ?? exitCodes.failed),
    },
  };
};
