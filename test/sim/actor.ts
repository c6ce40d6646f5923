import type { Engine } from '../../src/engine/engine.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { createStore, type Store } from '../../src/store/create-store.ts';
import { selectNow } from '../../src/store/select-now.ts';
import type { SimulatedSession } from '../helpers/engine-session.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';
import { anySignal } from './any-signal.ts';
import { problemsAtEnd, resultsOf, watchInvariants } from './invariants.ts';

/** One session with its program, a screen that follows it, and somebody who disturbs or helps. */
export interface Actor {
  readonly session: SimulatedSession;
  readonly problems: readonly string[];
  readonly hasEnded: () => boolean;
  /** It stopped by itself to wait for a person, and nobody has written to it since. */
  readonly isWaiting: () => boolean;
  /** Starts the program when it does not run. */
  begin(): Promise<void>;
  /** Looks at what has come to pass since the last look. */
  look(): Promise<void>;
  disturb(kind: Disturbance, random: SeededRandom): Promise<void>;
  /** A person who wants it to end: ends holds, settles gates, answers questions. */
  help(random: SeededRandom): void;
  /** The power of the machine failed. */
  die(): void;
  readonly describe: () => string;
}

export type Disturbance = 'signal' | 'flood' | 'withdraw' | 'quit' | 'kill' | 'power';

export const createActor = (session: SimulatedSession, alone: boolean): Actor => {
  const problems: string[] = [];
  let engine: Engine | null = null;
  let begun = false;
  let ended = false;
  let results: readonly Event[] = [];
  let seen = 0;
  /** As it was last seen: people also write to a session whose program is down. */
  let last: SessionState | null = null;
  let waiting = false;
  let screen = openScreen(session);
  const say = (problem: string): void => void problems.push(problem);
  watchInvariants(session, say);
  session.watchers.add((event) => screen.dispatch(event));

  const journal = (): readonly Event[] =>
    session.disk.lstat(session.paths.journal) === null
      ? []
      : readJournal(session.disk, session.paths.journal).events;

  const begin = async (): Promise<void> => {
    if (engine || ended) return;
    engine = begun ? session.resume() : session.begin();
    screen = openScreen(session);
    if (begun) screen.load(journal());
    begun = true;
    let fault: string | null = null;
    let done = false;
    void engine.start().then((result) => {
      done = true;
      fault = result && `${result.code}: ${result.what}`;
    });
    for (let wait = 0; !done && wait < 100; wait += 1) await session.clock.advanceAsync(250);
    if (done && fault === null) return;
    ended = true;
    say(`did not start: ${fault ?? 'no answer'}`);
  };

  const look = async (): Promise<void> => {
    if (!engine || ended) return;
    results = [...results, ...resultsOf(session.events.slice(seen))];
    seen = session.events.length;
    const state = engine.state();
    last = state;
    const now = selectNow(screen.getState(), { ms: session.clock.now(), offset: 420 });
    if (now.text.trim() === '') say(`event ${state.seq}: the now line is empty`);
    if (state.running) return;
    // A person who was asked and said stop has the last word.
    const asked = [...state.questions.values()].some(({ answer }) => answer !== null);
    if (state.status === 'blocked' && !(asked && state.stopReason?.includes('stopped by')))
      say(`blocked: ${state.stopReason}`);
    else if (state.status === 'blocked') ended = true;
    else if (state.state === 'COMPLETE' && state.status !== 'in_progress') {
      await session.clock.advanceAsync(10_000);
      problems.push(...problemsAtEnd(session, engine.state(), results));
    } else {
      if (!state.stopReason) say(`event ${state.seq}: not running, and no reason is stated`);
      engine = null;
      waiting = true;
      return;
    }
    ended = true;
  };

  const quit = async (): Promise<void> => {
    if (!engine) return;
    const quitting = engine.quit('quit');
    for (let wait = 0; wait < 40; wait += 1) await session.clock.advanceAsync(100);
    await quitting;
    await look();
    engine = null;
  };

  const die = (): void => {
    engine = null;
  };

  const disturb = async (kind: Disturbance, random: SeededRandom): Promise<void> => {
    const state = engine?.state() ?? last;
    if (!state || ended) return;
    waiting = false;
    switch (kind) {
      case 'signal':
        session.publish(anySignal(random, state));
        return;
      case 'flood':
        for (let count = 0; count < 12; count += 1) session.publish(anySignal(random, state));
        return;
      case 'withdraw': {
        const waiting = session
          .mailbox()
          .list()
          .filter(({ stage }) => stage === 'pending');
        if (waiting.length > 0) session.mailbox().withdraw(random.pick(waiting).id, 'somebody');
        return;
      }
      case 'quit':
        return quit();
      case 'kill':
      case 'power':
        // Before the first events are on disk there is no session to come back to.
        if (!engine || journal().length < 2) return;
        session.kill(kind === 'power' ? () => random.chance(0.5) : alone ? undefined : 'disk-lives-on');
        die();
    }
  };

  const help = (random: SeededRandom): void => {
    const state = engine?.state() ?? last;
    if (!state || ended || !random.chance(0.2)) return;
    waiting = false;
    const { hold, gate, questions } = state;
    if (hold) session.publish({ type: 'RESUME' });
    else if (gate?.gate === 'plan') session.publish({ type: 'ANSWER', request: 'plan', option: 'approve' });
    else if (gate) session.publish({ type: random.pick(['APPROVE', 'SKIP'] as const) });
    else
      for (const { request, answer } of questions.values())
        if (answer === null)
          session.publish({ type: 'ANSWER', request, option: random.pick(['retry', 'stop']) });
  };

  return {
    session,
    problems,
    hasEnded: () => ended,
    isWaiting: () => waiting,
    begin,
    look,
    disturb,
    help,
    die,
    describe: () => {
      const state = engine?.state() ?? last;
      const invocations = [...(state?.invocations.values() ?? [])].map(
        ({ id, stage, command }) => `${id} ${stage} ${command?.text ?? ''}`,
      );
      return `${state?.state} ${state?.status} hold ${JSON.stringify(state?.hold)} gate ${state?.gate?.gate} ${invocations.join('; ')}`;
    },
  };
};

const openScreen = (session: SimulatedSession): Store =>
  createStore({ clock: session.clock, evolve, connection: 'live' });
