import { createStore, type Store } from '../../components/create-store.ts';
import { selectNow } from '../../components/frame/select-now.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import type { SimulatedSession } from '../helpers/engine-session.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';
import { verdictOnBlocked } from './blocked.ts';
import type { Break } from './breaks.ts';
import { type Coverage, countEvent } from './coverage.ts';
import { flowExcuse } from './flow/excuse.ts';
import type { FlowWorld } from './flow/flow-world.ts';
import { createFollower } from './follower.ts';
import type { Scene } from './guards/guard.ts';
import { guards } from './guards/index.ts';
import type { Place } from './place.ts';
import { createPost, type Post } from './post.ts';

/** One session with its program, screens that follow it, and the guards of what is promised. */
export interface Actor {
  readonly session: SimulatedSession;
  readonly flow: FlowWorld | null;
  readonly post: Post;
  readonly problems: readonly string[];
  readonly state: () => SessionState | null;
  readonly runs: () => boolean;
  readonly hasEnded: () => boolean;
  /** It stopped by itself to wait for a person, and nobody has written to it since. */
  readonly isWaiting: () => boolean;
  /** Starts the program when it does not run. */
  begin(): Promise<void>;
  /** Looks at what has come to pass since the last look. */
  look(random: SeededRandom): Promise<void>;
  quit(): Promise<void>;
  /** The program is gone, however that came; `machine`: with all others of its machine. */
  die(how: string, machine: boolean): void;
  /** It goes on on another machine while the program here lives on. */
  leave(): void;
  /** A person gives what it waits for. */
  answer(random: SeededRandom): void;
  /** A person does something to an issue. */
  meddle(random: SeededRandom): void;
  /** Another session in the workspace does something. */
  startTwice(random: SeededRandom): void;
  /** Workers of other programs do something. */
  host(random: SeededRandom, calm: boolean): void;
  /** A person has done something about it. */
  stir(): void;
  readonly describe: () => string;
}

export interface ActorPorts extends Place {
  readonly coverage: Coverage;
  readonly broken: Break | null;
  /** How many iterations people ask for. */
  readonly iterations: number;
  /** Whether the disk was full at that moment or later. */
  readonly wasFull: (since: number) => boolean;
}

export const createActor = (ports: ActorPorts): Actor => {
  const { session, coverage, broken, git, flow, others } = ports;
  const problems: string[] = [];
  let engine: Engine | null = null;
  let begun = false;
  /** Whether the engine has freed its lock. It may end before: it waits for its git. */
  let settled = false;
  let ended = false;
  /** Nothing can be proved about another boot or machine: told of what it left, a person says at the next start that it goes on here. */
  let takeOver = false;
  let iterations = ports.iterations;
  /** As it was last seen: people also write to a session whose program is down. */
  let last: SessionState | null = null;
  let waiting = false;
  let lastJournal: readonly Event[] = [];
  let screen = openScreen(session);
  let restarts = 'none';
  let startedAt = 0;
  /** The last fact that was heard, and the one before the session went on elsewhere: what its old program recorded after that is read at the next start. */
  let heard = 0;
  let away: number | null = null;
  const wasFull = (): boolean => ports.wasFull(startedAt);
  const follower = createFollower(session);
  const post = createPost(session, coverage);
  const say = (problem: string): void => void problems.push(problem);
  const scene: Scene = {
    session,
    git,
    flow,
    others,
    say,
    sent: post.sent,
    scraps: post.scraps,
    journal: () => lastJournal,
    live: () => broken?.live?.(screen.getState()) ?? screen.getState(),
    attached: () => broken?.attached?.(follower.view()) ?? follower.view(),
    wasFull: ports.wasFull,
    now: (view) => broken?.now?.() ?? selectNow(view, { ms: session.clock.now(), offset: 420 }).text,
  };
  const watching = guards.map((create) => create(scene));

  const tell = (event: Event, state: SessionState, isLate = false): void => {
    const [told, then] = broken?.tell?.(event, state) ?? [event, state];
    for (const guard of watching) guard.see?.(told, then, isLate);
  };

  /** What the program on the other machine recorded before it was taken over. */
  const catchUp = (before: number): void => {
    if (away === null) return;
    let state: SessionState | null = null;
    for (const event of readJournal(session.disk, session.paths.journal).events) {
      if (event.seq >= before) break;
      state = evolve(state, event);
      if (event.seq > away) tell(event, state, true);
    }
    away = null;
  };

  session.watchers.add((event, state) => {
    screen.dispatch(event);
    if (event.type === 'problem.found' && event.fault.code === 'claims-remote') takeOver = true;
    countEvent(coverage, event);
    if (event.type === 'session.started') catchUp(event.seq);
    heard = event.seq;
    tell(event, state);
  });
  ports.hooks.turn = (invocation) => {
    coverage.count('agent called');
    const state = engine?.state();
    if (!state) return;
    const then = broken?.call?.(state) ?? state;
    for (const guard of watching) guard.turn?.(invocation, then);
  };

  ports.hooks.say = say;

  ports.hooks.now = () => engine?.state() ?? null;

  ports.hooks.act = (act) => {
    const state = engine?.state();
    if (!state) return;
    coverage.count(`the engine's ${act.kind}`);
    const told = broken?.act?.(act, state) ?? act;
    const then = (told.kind === 'write' ? told.asked : null) ?? state;
    for (const guard of watching) guard.act?.(told, broken?.leave?.(then) ?? then);
  };

  const part = (): void => {
    engine = null;
    others?.part();
  };

  const begin = async (): Promise<void> => {
    if (engine || ended) return;
    broken?.beforeStart?.(session);
    startedAt = session.clock.now();
    const asked = takeOver;
    takeOver = false;
    engine = begun ? session.resume(asked) : session.begin();
    screen = openScreen(session);
    if (begun) screen.load(readJournal(session.disk, session.paths.journal).events);
    let fault: string | null = null;
    let done = false;
    settled = false;
    const started = engine;
    void started.settled().then(() => {
      if (engine === started) settled = true;
    });
    void engine.start().then((result) => {
      done = true;
      fault = result && `${result.code}: ${result.what}`;
    });
    for (let wait = 0; !done && wait < 100 && !session.disk.crashed(); wait += 1)
      await session.clock.advanceAsync(250);
    if (session.disk.crashed()) return;
    if (done && fault === null) {
      if (begun) coverage.count(`restart after ${restarts}`);
      begun = true;
      others?.meet(engine);
      return;
    }
    part();
    coverage.count(`start refused: ${String(fault).split(':')[0]}`);
    takeOver ||= asked;
    if (String(fault).startsWith('lock-remote')) takeOver = true;
    else if (!wasFull()) {
      ended = true;
      say(`did not start: ${fault ?? 'no answer'}`);
    }
  };

  const finish = async (): Promise<void> => {
    await session.clock.advanceAsync(10_000);
    if (session.disk.crashed() || !engine) return;
    follower.look();
    broken?.beforeEnd?.(session);
    lastJournal = readJournal(session.disk, session.paths.journal).events;
    const state = broken?.end?.(engine.state()) ?? engine.state();
    for (const guard of watching) guard.end?.(state);
    for (const { signal, stage } of state.signals.values()) coverage.count(`signal ${signal.type} ${stage}`);
    for (const { status } of state.tasks.values()) coverage.count(`task ${status} at the end`);
    coverage.count(`end ${state.status}`);
    ended = true;
  };

  const look = async (random: SeededRandom): Promise<void> => {
    if (!engine || ended) return;
    const state = broken?.see?.(engine.state()) ?? engine.state();
    last = state;
    follower.look();
    for (const guard of watching) guard.look?.(state);
    if (state.running || !settled) return;
    restarts = state.status;
    if (state.status === 'blocked') {
      const verdict = verdictOnBlocked(session, state, wasFull(), flowExcuse(flow, state, startedAt));
      if (verdict.kind === 'broken') say(verdict.problem);
      if (verdict.kind !== 'later' && !takeOver) return finish();
    } else if (isComplete(state) && state.status !== 'in_progress') {
      // What it said last may not have found room, and a claim may need a word: it is started once more.
      const last = iterations <= 1 || state.status === 'aborted';
      if (last && !wasFull() && !takeOver) return finish();
      if (!last) post.goOn(random, state);
      if (!last) iterations -= 1;
    }
    part();
    waiting = true;
  };

  const quit = async (): Promise<void> => {
    if (!engine) return;
    let done = false;
    const over = (): void => {
      done = true;
    };
    engine.quit('quit').then(over, (error: unknown) => {
      over();
      if (!session.disk.crashed()) say(`quitting threw ${error}`);
    });
    for (let wait = 0; !done && wait < 400 && !session.disk.crashed(); wait += 1)
      await session.clock.advanceAsync(100);
    if (!done && !session.disk.crashed() && engine.state().running)
      say(`event ${engine.state().seq}: quitting takes for ever`);
  };

  return {
    session,
    flow,
    post,
    problems,
    state: () => engine?.state() ?? last,
    runs: () => engine !== null,
    hasEnded: () => ended,
    isWaiting: () => waiting,
    begin,
    look,
    quit,
    die: (how, machine) => {
      restarts = how;
      flow?.ledger.noteAll();
      part();
      for (const guard of watching) guard.died?.();
      if (machine) follower.reopen();
    },
    leave: () => {
      restarts = 'another machine';
      away ??= heard;
      flow?.ledger.noteAll();
      session.elsewhere();
      part();
      for (const guard of watching) guard.died?.();
    },
    answer: (random) => {
      if (last && !ended) post.help(random, last);
    },
    meddle: (random) => {
      const deed = flow?.meddle(random) ?? null;
      if (deed !== null) coverage.count(`a person ${deed}`);
    },
    startTwice: (random) => {
      const deed = flow?.twin(random) ?? null;
      if (deed !== null) coverage.count(`a person ${deed}`);
    },
    host: (random, calm) => {
      for (const deed of others?.look(random, calm) ?? []) coverage.count(`another program ${deed}`);
    },
    stir: () => {
      waiting = false;
    },
    describe: () => {
      const state = engine?.state() ?? last;
      const invocations = [...(state?.invocations.values() ?? [])].map(
        ({ id, stage, command }) => `${id} ${stage} ${command?.text ?? ''}`,
      );
      return `${state?.state} ${state?.status} ${state?.stopReason} hold ${JSON.stringify(state?.hold)} gate ${state?.gate?.gate} ${invocations.join('; ')}`;
    },
  };
};

const openScreen = (session: SimulatedSession): Store =>
  createStore({ clock: session.clock, evolve, connection: 'live' });
